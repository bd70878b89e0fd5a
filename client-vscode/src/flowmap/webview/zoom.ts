const MIN_SCALE = 0.25;
const MAX_SCALE = 3;

/** Zooms and pans the picture in its frame: with Ctrl and the wheel, by dragging, or by scrolling the frame. */
export class Zoom {
  /** Whether the last press dragged the picture, so that releasing it does not count as a click. */
  dragged = false;
  private svg: SVGSVGElement | null = null;
  private scale = 1;

  constructor(
    private readonly frame: HTMLElement,
    private readonly onDidChangeScale: (scale: number) => void,
  ) {
    frame.addEventListener(
      "wheel",
      (event) => {
        if (!event.ctrlKey && !event.metaKey) return;
        event.preventDefault();
        this.by(Math.exp(-event.deltaY / 400), event.clientX, event.clientY);
      },
      { passive: false },
    );
    this.followDrags();
  }

  /** Replaces the picture. Without `scale`, a new report shrinks to fit the width; others keep the scale. */
  setPicture(svg: SVGSVGElement | null, scale: number | undefined, isNew: boolean): void {
    this.svg = svg;
    if (scale !== undefined) this.to(scale);
    else if (isNew) this.to(Math.min(1, this.frame.clientWidth / this.size().width));
    else this.to(this.scale);
  }

  by(factor: number, x?: number, y?: number): void {
    this.to(this.scale * factor, x, y);
  }

  /** Scales around a point in window coordinates, by default the middle of the frame. */
  to(scale: number, x?: number, y?: number): void {
    if (this.svg === null) return;
    const box = this.frame.getBoundingClientRect();
    const [dx, dy] = [
      (x ?? box.left + box.width / 2) - box.left,
      (y ?? box.top + box.height / 2) - box.top,
    ];
    const next = Math.min(MAX_SCALE, Math.max(MIN_SCALE, scale));
    const ratio = next / this.scale;
    const [left, top] = [this.frame.scrollLeft + dx, this.frame.scrollTop + dy];
    this.scale = next;
    const { width, height } = this.size();
    this.svg.setAttribute("width", String(width * next));
    this.svg.setAttribute("height", String(height * next));
    this.frame.scrollTo(left * ratio - dx, top * ratio - dy);
    this.onDidChangeScale(next);
  }

  fit(): void {
    const { width, height } = this.size();
    this.to(Math.min(1, this.frame.clientWidth / width, this.frame.clientHeight / height));
  }

  private size(): { width: number; height: number } {
    return this.svg?.viewBox.baseVal ?? { width: 1, height: 1 };
  }

  private followDrags(): void {
    let lastPoint: { x: number; y: number } | undefined;
    this.frame.addEventListener("pointerdown", (event) => {
      this.dragged = false;
      if (event.button === 0) lastPoint = { x: event.clientX, y: event.clientY };
    });
    window.addEventListener("pointermove", (event) => {
      if (lastPoint === undefined) return;
      const [dx, dy] = [event.clientX - lastPoint.x, event.clientY - lastPoint.y];
      if (!this.dragged && Math.hypot(dx, dy) < 5) return;
      this.dragged = true;
      this.frame.scrollBy(-dx, -dy);
      lastPoint = { x: event.clientX, y: event.clientY };
    });
    window.addEventListener("pointerup", () => {
      lastPoint = undefined;
    });
  }
}
