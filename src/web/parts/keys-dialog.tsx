import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { text } from '../text/en.js';
import { areKeysOn, switchKeys } from './use-keys.js';

export type KeyTable = readonly (readonly [keys: string, meaning: string])[];

interface KeysDialogProps {
  readonly table: KeyTable;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** The list of keys; the browser closes it with Esc and gives the focus back. */
export function KeysDialog({ table, isOpen, onClose }: KeysDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [isOn, setIsOn] = useState(areKeysOn);
  useLayoutEffect(() => {
    if (isOpen) dialog.current?.showModal();
    else dialog.current?.close();
  }, [isOpen]);
  return (
    <dialog ref={dialog} onClose={onClose} aria-label={text.keys}>
      <h2>{text.keys}</h2>
      <dl class="keys">
        {table.map(([keys, meaning]) => (
          <div key={keys}>
            <dt>
              <kbd>{keys}</kbd>
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
      <label class="value">
        <input
          type="checkbox"
          checked={isOn}
          onChange={({ currentTarget: { checked } }) => {
            switchKeys(checked);
            setIsOn(checked);
          }}
        />
        {text.useKeys}
      </label>
      {/* At once, not with the next frame: a key that follows is for the page. */}
      <button type="button" onClick={() => dialog.current?.close()}>
        {text.close}
      </button>
    </dialog>
  );
}
