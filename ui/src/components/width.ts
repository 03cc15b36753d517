let pen: CanvasRenderingContext2D | null | undefined;

/** How wide a text is on one line of running text, in px; 0 where nothing is drawn, as in tests. */
export function widthOf(text: string, weight: 400 | 650): number {
  if (typeof CanvasRenderingContext2D === "undefined") return 0;
  pen ??= document.createElement("canvas").getContext("2d");
  if (!pen) return 0;
  const { fontSize, fontFamily } = getComputedStyle(document.body);
  pen.font = `${weight} ${fontSize} ${fontFamily}`;
  return pen.measureText(text).width;
}
