import { useEffect, useState } from 'preact/hooks';
import { ask } from '../api.js';
import type { NamedFiles, PathAnswer } from '../operator-api.js';
import { ForeignText } from '../parts/foreign-text.js';
import { words } from '../text/operator.js';
import { Card, Said } from './card.js';
import { useAction } from './use-action.js';

type Found = { readonly answer: PathAnswer } | { readonly named: NamedFiles };

/** Why a file is in the index, or why it is not; for those who know its path, and for those who know its name. */
export function WhyCard() {
  const [asked, setAsked] = useState(() => new URLSearchParams(location.search).get('why') ?? '');
  const [found, setFound] = useState<Found>();
  const action = useAction();
  const askFor = (text: string): void => {
    setAsked(text);
    if (text.trim() === '') return;
    void action.run(async () => {
      setFound(await answerFor(text));
      return undefined;
    });
  };
  // The search page hands over what it could not find.
  useEffect(() => askFor(asked), []);
  return (
    <Card title={words.why} kind="why">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          askFor(asked);
        }}
      >
        <label class="stacked">
          <span>{words.whyLabel}</span>
          <span class="field">
            <input
              type="search"
              value={asked}
              spellcheck={false}
              autocomplete="off"
              onInput={({ currentTarget }) => setAsked(currentTarget.value)}
            />
            <button type="submit" disabled={action.isBusy}>
              {words.ask}
            </button>
          </span>
        </label>
        <p class="soft">{words.whyHelp}</p>
      </form>
      {action.failed && <Said action={action} />}
      <div role="status">
        {found !== undefined && 'answer' in found && <Answer answer={found.answer} />}
        {found !== undefined && 'named' in found && <Files named={found.named} onChoose={askFor} />}
      </div>
    </Card>
  );
}

/** A text with a separator is a path; another one is a name, and a path below the root where nothing has that name. */
async function answerFor(text: string): Promise<Found> {
  if (!/[/\\]/.test(text)) {
    const named = await ask<NamedFiles>('_crawler/why', new URLSearchParams({ name: text.trim() }));
    if (named.files.length > 1) return { named };
    const [only] = named.files;
    if (only !== undefined) return { answer: await whyPath(only.path) };
  }
  return { answer: await whyPath(text) };
}

function whyPath(path: string): Promise<PathAnswer> {
  return ask<PathAnswer>('_crawler/why', new URLSearchParams({ path }));
}

function Answer({ answer: { path, standing, sentence, rule, origin } }: { readonly answer: PathAnswer }) {
  return (
    <div class="answer">
      <p class="path">
        <ForeignText text={path} />
      </p>
      <p>
        <strong>{words.standings[standing] ?? standing}.</strong> <ForeignText text={sentence} />
      </p>
      {standing === 'absent' && <p class="soft">{words.absentHelp}</p>}
      {rule !== undefined && (
        <dl class="pairs">
          <dt>{words.rule}</dt>
          <dd>
            <ForeignText text={origin?.pattern ?? rule.text} />
          </dd>
          {origin !== undefined && (
            <>
              <dt>{words.origin}</dt>
              <dd>
                <ForeignText text={`${origin.setting}, ${words.origins[origin.origin] ?? origin.origin}`} />
              </dd>
            </>
          )}
        </dl>
      )}
    </div>
  );
}

function Files({ named, onChoose }: { readonly named: NamedFiles; readonly onChoose: (path: string) => void }) {
  return (
    <>
      <h3>{words.whichFile}</h3>
      <ul class="paths">
        {named.files.map(({ path, state }) => (
          <li key={path}>
            <button type="button" class="plain" onClick={() => onChoose(path)}>
              <ForeignText text={path} />
            </button>{' '}
            <span class="soft">{words.state(state)}</span>
          </li>
        ))}
      </ul>
      {named.more && <p class="soft">{words.moreFiles}</p>}
    </>
  );
}
