import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { ApiFault, onKeyNeeded, send } from '../api.js';
import { badge } from '../text/badge.js';
import { text } from '../text/en.js';

/** Asks for a key over the page as soon as the service wants one. What was asked for waits, and is asked again then. */
export function SignIn({ onDone }: { readonly onDone: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const waiting = useRef<(() => void)[]>([]);
  const [isOpen, setOpen] = useState(false);
  const [fault, setFault] = useState('');
  const [isBusy, setIsBusy] = useState(false);
  useEffect(() => {
    const ask = (): Promise<void> =>
      new Promise((resolve) => {
        waiting.current.push(resolve);
        setOpen(true);
      });
    onKeyNeeded(ask);
  }, []);
  useLayoutEffect(() => {
    if (isOpen) dialog.current?.showModal();
    else dialog.current?.close();
  }, [isOpen]);
  const submit = async (form: HTMLFormElement): Promise<void> => {
    const key = new FormData(form).get('key');
    setIsBusy(true);
    setFault('');
    try {
      await send('POST', '_session', { body: { key } });
      setOpen(false);
      for (const resolve of waiting.current.splice(0)) resolve();
      onDone();
    } catch (error) {
      setFault(error instanceof ApiFault && error.message !== '' ? error.message : text.away(0));
    } finally {
      setIsBusy(false);
    }
  };
  return (
    <dialog ref={dialog} aria-label={badge.signIn} onCancel={(event) => event.preventDefault()}>
      {isOpen && <KeyForm fault={fault} isBusy={isBusy} onSubmit={(form) => void submit(form)} />}
    </dialog>
  );
}

interface KeyFormProps {
  readonly fault: string;
  readonly isBusy: boolean;
  readonly onSubmit: (form: HTMLFormElement) => void;
}

function KeyForm({ fault, isBusy, onSubmit }: KeyFormProps) {
  return (
    <form
      class="sign-in"
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit(event.currentTarget);
      }}
    >
      <h2>{badge.signIn}</h2>
      <label>
        <span>{badge.key}</span>
        <input name="key" type="password" autocomplete="current-password" required autofocus />
      </label>
      <p class="fault" role="alert">
        {fault}
      </p>
      <button type="submit" class="primary" disabled={isBusy}>
        {badge.signIn}
      </button>
    </form>
  );
}
