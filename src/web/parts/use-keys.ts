import { useLayoutEffect } from 'preact/hooks';

export type Shortcuts = Readonly<Record<string, () => void>>;

const CHOICE = 'crawler-keys';

/** People who speak to their computer, or press keys by mistake, switch keys of one character off. */
export function areKeysOn(): boolean {
  return localStorage.getItem(CHOICE) !== 'off';
}

export function switchKeys(isOn: boolean): void {
  localStorage.setItem(CHOICE, isOn ? 'on' : 'off');
}

/**
 * Keys of the page, but not while somebody types or a dialog is open.
 * @param actions by `key` of the event; one that is left out is for the browser
 */
export function useKeys(actions: Shortcuts): void {
  // With what is shown, not a frame later: a key may follow at once.
  useLayoutEffect(() => {
    const press = (event: KeyboardEvent): void => {
      const action = isForPage(event) ? actions[event.key] : undefined;
      if (action === undefined) return;
      event.preventDefault();
      action();
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, [actions]);
}

function isForPage({ ctrlKey, metaKey, altKey, key, target }: KeyboardEvent): boolean {
  if (ctrlKey || metaKey || altKey || document.querySelector('dialog[open]') !== null) return false;
  if (isTypedInto(target)) return key === 'Escape' || key === 'ArrowDown';
  // Space presses what has the focus; a link it does not.
  if (key === ' ' && !(target instanceof HTMLAnchorElement)) return false;
  return key.length > 1 || areKeysOn();
}

function isTypedInto(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest('input:not([type=checkbox]), select, textarea') !== null;
}

/** Leads to the other page, unless this service has none. */
export function goTo(address: string): void {
  if (document.documentElement.dataset['ui'] !== 'search') location.assign(address);
}
