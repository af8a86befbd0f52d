/** What the demo uses of gifenc, which has no types of its own. */
declare module 'gifenc' {
  export interface Frame {
    /** Red, green and blue of each index, from 0 to 255; a film's first frame has them. */
    palette?: number[][];
    /** How long it is shown, in ms. */
    delay: number;
  }
  export function GIFEncoder(): {
    writeFrame(pixels: Uint8Array, width: number, height: number, frame: Frame): void;
    finish(): void;
    bytes(): Uint8Array<ArrayBuffer>;
  };
}
