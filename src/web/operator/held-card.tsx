import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { ask, send, type Status } from '../api.js';
import type { HeldList } from '../operator-api.js';
import { ForeignText } from '../parts/foreign-text.js';
import { ForEditors } from '../parts/rights.js';
import { words } from '../text/operator.js';
import { Card, Said } from './card.js';
import { useAction } from './use-action.js';

interface HeldCardProps {
  readonly held: NonNullable<Status['held_deletions']>;
  readonly onChange: () => void;
}

/** Deletions that wait for a person: what they are, and their approval in two steps. */
export function HeldCard({ held, onChange }: HeldCardProps) {
  const [list, setList] = useState<HeldList>();
  const listing = useAction();
  const load = (after: string | null): void => {
    void listing.run(async () => {
      const page = await ask<HeldList>('_crawler/held', new URLSearchParams(after === null ? {} : { after }));
      setList((before) =>
        after === null || before === undefined ? page : { ...page, paths: [...before.paths, ...page.paths] },
      );
      return undefined;
    });
  };
  return (
    <Card title={words.held(held.documents)} kind="held">
      <p>
        <ForeignText text={held.message} />
      </p>
      <div class="row">
        <button
          type="button"
          aria-expanded={list !== undefined}
          disabled={listing.isBusy}
          onClick={() => (list === undefined ? load(null) : setList(undefined))}
        >
          {list === undefined ? words.show : words.hide}
        </button>
        <Approval documents={held.documents} onChange={onChange} />
      </div>
      {listing.failed && <Said action={listing} />}
      {list !== undefined && <HeldFiles list={list} onMore={() => load(list.next)} />}
    </Card>
  );
}

function Approval({ documents, onChange }: { readonly documents: number; readonly onChange: () => void }) {
  const [asked, setAsked] = useState<number>();
  const action = useAction();
  // Each takes the place of the other: whoever uses the keyboard is led along.
  const question = useRef<HTMLDivElement>(null);
  const opener = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => question.current?.focus(), [asked]);
  const cancel = (): void => {
    setAsked(undefined);
    setTimeout(() => opener.current?.focus());
  };
  // What was asked about is what is approved: another number by then is refused by the service.
  const approve = (): void => {
    const parameters = new URLSearchParams({ documents: String(asked) });
    void action
      .run(() => send('POST', '_crawler/approve', { parameters }))
      .then(() => {
        setAsked(undefined);
        onChange();
      });
  };
  return (
    <ForEditors>
      {asked === undefined && (
        <button ref={opener} type="button" onClick={() => setAsked(documents)}>
          {words.approve}
        </button>
      )}
      {asked !== undefined && (
        <div ref={question} tabIndex={-1} class="question" role="group" aria-label={words.approve}>
          <p>{words.approveQuestion(asked)}</p>
          <button type="button" class="danger" disabled={action.isBusy} onClick={approve}>
            {words.approveNow(asked)}
          </button>
          <button type="button" onClick={cancel}>
            {words.cancel}
          </button>
        </div>
      )}
      <Said action={action} />
    </ForEditors>
  );
}

function HeldFiles({ list, onMore }: { readonly list: HeldList; readonly onMore: () => void }) {
  return (
    <div class="scroll" tabIndex={0} role="group" aria-label={words.heldPaths}>
      <h3>{words.byFolder}</h3>
      <ul class="paths">
        {list.by_folder.map(({ path, documents }) => (
          <li key={path}>
            <ForeignText text={path} /> <span class="soft">{words.inFolder(documents)}</span>
          </li>
        ))}
      </ul>
      <h3>{words.heldPaths}</h3>
      <ul class="paths">
        {list.paths.map((path) => (
          <li key={path}>
            <ForeignText text={path} />
          </li>
        ))}
      </ul>
      {list.next !== null && (
        <button type="button" onClick={onMore}>
          {words.more}
        </button>
      )}
    </div>
  );
}
