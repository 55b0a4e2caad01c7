import { useEffect } from 'preact/hooks';

/** Keys of the page, but not while somebody types or a dialog is open. */
export function useKeys(actions: Readonly<Record<string, () => void>>): void {
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector('dialog[open]') !== null) return;
      const { target } = event;
      const isField = target instanceof HTMLElement && target.closest('input[type=search], select, textarea') !== null;
      if (isField && event.key !== 'Escape' && event.key !== 'ArrowDown') return;
      const action = actions[event.key];
      if (action === undefined) return;
      event.preventDefault();
      action();
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, [actions]);
}
