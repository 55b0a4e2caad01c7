declare module 'seek-bzip' {
  interface ByteSource {
    /** The next byte, or -1 at the end. */
    readByte(): number;
    read(buffer: Uint8Array, offset: number, length: number): number;
    eof(): boolean;
  }
  interface ByteSink {
    writeByte(byte: number): void;
  }
  const bunzip: {
    /** `multistream`: streams that follow each other are one. Throws a TypeError for damaged data. */
    decode(source: ByteSource, sink: ByteSink, multistream: boolean): void;
  };
  export default bunzip;
}
