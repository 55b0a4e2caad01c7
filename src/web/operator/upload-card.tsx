import { useRef, useState } from 'preact/hooks';
import { ForeignText } from '../parts/foreign-text.js';
import { words } from '../text/operator.js';
import { Card } from './card.js';
import { droppedFiles, isOver, type Upload } from './upload.js';
import { useUploads, type Uploads } from './use-uploads.js';

/** Documents for the index, by drop or by choice; a line for each says what became of it. */
export function UploadCard() {
  const uploads = useUploads();
  const [isOverArea, setOverArea] = useState(false);
  const picker = useRef<HTMLInputElement>(null);
  const drop = (event: DragEvent): void => {
    event.preventDefault();
    setOverArea(false);
    if (event.dataTransfer !== null) void droppedFiles(event.dataTransfer.items).then(uploads.add);
  };
  return (
    <Card title={words.upload} kind="upload">
      <div
        class={isOverArea ? 'drop over' : 'drop'}
        onDragOver={(event) => {
          event.preventDefault();
          setOverArea(true);
        }}
        onDragLeave={() => setOverArea(false)}
        onDrop={drop}
      >
        <p>{words.drop}</p>
        <button type="button" onClick={() => picker.current?.click()}>
          {words.choose}
        </button>
        <input
          ref={picker}
          type="file"
          multiple
          hidden
          aria-label={words.choose}
          onChange={({ currentTarget }) => {
            uploads.add([...(currentTarget.files ?? [])]);
            currentTarget.value = '';
          }}
        />
      </div>
      {uploads.list.length > 0 && <UploadList uploads={uploads} />}
    </Card>
  );
}

function UploadList({ uploads }: { readonly uploads: Uploads }) {
  const { list, decide, cancel, clear } = uploads;
  const done = list.filter(isOver).length;
  return (
    <>
      <p class="row">
        <span role="status">{words.uploadDone(done, list.length)}</span>
        {done < list.length && (
          <button type="button" onClick={cancel}>
            {words.cancelAll}
          </button>
        )}
        {done > 0 && (
          <button type="button" onClick={clear}>
            {words.clearList}
          </button>
        )}
      </p>
      <ul class="uploads scroll" tabIndex={0} aria-label={words.upload}>
        {list.map((upload) => (
          <UploadLine key={upload.key} upload={upload} onDecide={(replace) => decide(upload.key, replace)} />
        ))}
      </ul>
    </>
  );
}

interface UploadLineProps {
  readonly upload: Upload;
  readonly onDecide: (replace: boolean) => void;
}

function UploadLine({ upload, onDecide }: UploadLineProps) {
  const { name, state, percent, message } = upload;
  return (
    <li class={state}>
      <span class="path">
        <ForeignText text={name} />
      </span>{' '}
      <span class="outcome">
        <span aria-hidden="true">{words.outcomeIcon[state]}</span> {words.outcomes[state]}
        {state === 'sending' && ` ${percent} %`} {message !== '' && <ForeignText text={message} />}
      </span>
      {state === 'asks' && (
        <span class="row">
          <button type="button" onClick={() => onDecide(true)}>
            {words.replace}
          </button>
          <button type="button" onClick={() => onDecide(false)}>
            {words.skip}
          </button>
        </span>
      )}
    </li>
  );
}
