import { useEffect, useRef } from 'preact/hooks';
import { text } from '../text/en.js';

/** The list of keys; the browser closes it with Esc and gives the focus back. */
export function KeysDialog({ isOpen, onClose }: { readonly isOpen: boolean; readonly onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    if (isOpen) dialog.current?.showModal();
    else dialog.current?.close();
  }, [isOpen]);
  return (
    <dialog ref={dialog} onClose={onClose} aria-label={text.keys}>
      <h2>{text.keys}</h2>
      <dl class="keys">
        {text.keyTable.map(([keys, meaning]) => (
          <div key={keys}>
            <dt>
              <kbd>{keys}</kbd>
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
      <button type="button" onClick={onClose}>
        {text.close}
      </button>
    </dialog>
  );
}
