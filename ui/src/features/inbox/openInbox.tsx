import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useEffect } from "react";

import { listenForKeys } from "../../actions/keys";
import { renderWith } from "../../test/render";
import type { RequestDetail } from "../../types";
import { InboxPlace } from "./InboxPlace";
import type { Manner } from "./manner";
import { Desk } from "./samples";

function Keys() {
  useEffect(() => listenForKeys(window), []);
  return null;
}

/** Most tests look at the question that they have answered. */
const STAYS: Partial<Manner> = { next: false };

/** The inbox with its keys, over a desk that holds these questions. */
export function open(details: RequestDetail[], hold?: number, manner = STAYS) {
  const desk = new Desk(details, hold);
  desk.remembered.set("inbox.manner", JSON.stringify(manner));
  const view = renderWith(
    desk,
    <>
      <Keys />
      <InboxPlace overview={desk.overview} />
    </>,
  );
  return { desk, user: userEvent.setup(), ...view };
}

/** The title of what is in hand. */
export const heading = (name: string | RegExp) => screen.findByRole("heading", { level: 1, name });
