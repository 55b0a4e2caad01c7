/** A picture in memory, 24 bits a pixel, and the few shapes that the example pictures need. */
export class Canvas {
  constructor(width, height) {
    this.width = width;
    this.height = height;
    this.pixels = new Uint8Array(width * height * 3);
  }

  set(x, y, [red, green, blue]) {
    if (x < 0 || y < 0 || x >= this.width || y >= this.height) return;
    this.pixels.set([red, green, blue], (y * this.width + x) * 3);
  }

  /** Colours every pixel that `colourOf` returns a colour for. */
  paint(colourOf) {
    for (let y = 0; y < this.height; y++) {
      for (let x = 0; x < this.width; x++) {
        const colour = colourOf(x, y);
        if (colour !== undefined) this.set(x, y, colour);
      }
    }
  }

  rectangle(left, top, width, height, colour) {
    this.paint((x, y) => (x >= left && x < left + width && y >= top && y < top + height ? colour : undefined));
  }

  circle(centreX, centreY, radius, colour) {
    this.paint((x, y) => ((x - centreX) ** 2 + (y - centreY) ** 2 <= radius ** 2 ? colour : undefined));
  }

  /** Corners in order; a pixel is inside when a ray from it crosses the outline an odd number of times. */
  polygon(corners, colour) {
    this.paint((x, y) => {
      let inside = false;
      for (let i = 0, j = corners.length - 1; i < corners.length; j = i++) {
        const [x1, y1] = corners[i];
        const [x2, y2] = corners[j];
        if (y1 > y !== y2 > y && x < ((x2 - x1) * (y - y1)) / (y2 - y1) + x1) inside = !inside;
      }
      return inside ? colour : undefined;
    });
  }
}

/** A colour between two, `share` of the way. */
export function blend(from, to, share) {
  return from.map((value, i) => Math.round(value + (to[i] - value) * share));
}
