import { parseXml } from '../xml/xml.js';

/** `[Content_Types].xml`: a type for single parts, else one for the part's extension. */
export interface ContentTypes {
  typeOf(name: string): string | undefined;
}

export function readContentTypes(bytes: Uint8Array | undefined): ContentTypes {
  const overrides = new Map<string, string>();
  const defaults = new Map<string, string>();
  parseXml(bytes ?? '', {
    open: (name, attributes) => {
      const type = attributes.get('ContentType') ?? '';
      if (name === 'Override') overrides.set((attributes.get('PartName') ?? '').toLowerCase(), type);
      else if (name === 'Default') defaults.set((attributes.get('Extension') ?? '').toLowerCase(), type);
    },
  });
  return {
    typeOf: (name) => {
      const key = name.toLowerCase();
      return overrides.get(key) ?? defaults.get(key.slice(key.lastIndexOf('.') + 1));
    },
  };
}
