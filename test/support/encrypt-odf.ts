import { createCipheriv, createHash, pbkdf2Sync, randomBytes } from 'node:crypto';
import { deflateRawSync } from 'node:zlib';
import { writeZip } from './zip-writer.js';

const ROUNDS = 1000;
const BLOCK = 16;
const NAMESPACES =
  'xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"';

/** A text document of one paragraph, encrypted as OpenDocument 1.2 says: AES-256, the key from PBKDF2. */
export function encryptedOdt(text: string, password: string): Buffer {
  const [salt, vector] = [randomBytes(BLOCK), randomBytes(BLOCK)];
  const content = `<office:document-content ${NAMESPACES}><office:body><office:text><text:p>${text}</text:p></office:text></office:body></office:document-content>`;
  const deflated = deflateRawSync(content);
  const key = pbkdf2Sync(createHash('sha256').update(password).digest(), salt, ROUNDS, 32, 'sha1');
  const padding = BLOCK - (deflated.length % BLOCK);
  const cipher = createCipheriv('aes-256-cbc', key, vector).setAutoPadding(false);
  // Only the last byte counts: the others may be anything.
  const padded = Buffer.concat([deflated, Buffer.alloc(padding - 1, 7), Buffer.of(padding)]);
  const checksum = createHash('sha256').update(deflated.subarray(0, 1024)).digest('base64');
  const manifest =
    '<manifest:manifest xmlns:manifest="m"><manifest:file-entry manifest:full-path="content.xml">' +
    `<manifest:encryption-data manifest:checksum-type="urn:x#sha256-1k" manifest:checksum="${checksum}">` +
    `<manifest:algorithm manifest:algorithm-name="http://www.w3.org/2001/04/xmlenc#aes256-cbc" manifest:initialisation-vector="${vector.toString('base64')}"/>` +
    '<manifest:start-key-generation manifest:start-key-generation-name="http://www.w3.org/2000/09/xmldsig#sha256"/>' +
    `<manifest:key-derivation manifest:key-derivation-name="PBKDF2" manifest:key-size="32" manifest:iteration-count="${ROUNDS}" manifest:salt="${salt.toString('base64')}"/>` +
    '</manifest:encryption-data></manifest:file-entry></manifest:manifest>';
  return writeZip([
    { name: 'mimetype', content: Buffer.from('application/vnd.oasis.opendocument.text'), store: true },
    { name: 'content.xml', content: Buffer.concat([cipher.update(padded), cipher.final()]), store: true },
    { name: 'META-INF/manifest.xml', content: Buffer.from(manifest) },
  ]);
}
