import { units } from "../strings/en/units";

/** What a division by 100 may have lost. */
const SLACK = 1e-9;

/** `42 %` of a part between 0 and 1. Only the whole is 100 %, and only nothing is 0 %. */
export function percent(part: number): string {
  const whole = Math.floor(Math.min(1, Math.max(0, part)) * 100 + SLACK);
  return whole === 0 && part > 0 ? units.underPercent : `${whole} %`;
}
