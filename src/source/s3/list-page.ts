import type { ListObjectsV2CommandOutput } from '@aws-sdk/client-s3';

/** An answer to ListObjectsV2: what lies in a folder, or the first thousand of it. */
export interface ListPage {
  readonly objects: readonly ListedObject[];
  /** What deeper keys have in common, with the slash at the end. */
  readonly prefixes: readonly string[];
  /** Where the next page begins; undefined after the last one. */
  readonly next: string | undefined;
}

export interface ListedObject {
  readonly key: string;
  readonly size: number;
  readonly modifiedMs: number | undefined;
  readonly etag: string | undefined;
}

/** Throws when it is no listing: any other document reads as an answer that has nothing in it. */
export function toListPage(output: ListObjectsV2CommandOutput): ListPage {
  const { IsTruncated, NextContinuationToken: next, EncodingType, Contents = [], CommonPrefixes = [] } = output;
  if (IsTruncated === undefined) throw new Error('the answer is not a listing');
  if (IsTruncated && (next === undefined || next === '')) {
    throw new Error('the answer does not say where the listing continues');
  }
  const decode = EncodingType === 'url' ? urlDecoded : (text: string): string => text;
  return {
    objects: Contents.map(({ Key, Size, LastModified, ETag }) => {
      if (Key === undefined) throw new Error('the answer holds an object without a key');
      return { key: decode(Key), size: Size ?? -1, modifiedMs: LastModified?.getTime(), etag: ETag };
    }),
    prefixes: CommonPrefixes.map(({ Prefix }) => decode(Prefix ?? '')),
    next: IsTruncated ? next : undefined,
  };
}

/** As forms encode: `+` is a blank. */
function urlDecoded(text: string): string {
  return decodeURIComponent(text.replaceAll('+', ' '));
}
