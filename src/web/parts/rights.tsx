import { createContext, type ComponentChildren } from 'preact';
import { useContext } from 'preact/hooks';

/** Whether the key of this session may change anything. */
export const MayChange = createContext(true);

/** Shown to those who may change something. The service refuses all others anyway. */
export function ForEditors({ children }: { readonly children: ComponentChildren }) {
  return useContext(MayChange) ? <>{children}</> : null;
}
