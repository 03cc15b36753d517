import { count } from "../../format/size";
import type { TextFormat } from "../../types";

const formats: Record<TextFormat, string> = {
  email: "e-mail address",
  uri: "URI, such as https://example.com/",
  date: "date: 2026-01-31",
  "date-time": "date and time with offset: 2026-01-31T09:00:00Z",
};

export const forms = {
  tabs: { label: "How to fill in", form: "Form", json: "JSON" },
  formats,
  characters: (n: number) => (n === 1 ? "1 character" : `${count(n)} characters`),
  choices: (n: number) => (n === 1 ? "1 choice" : `${n} choices`),
  exactly: (what: string) => `exactly ${what}`,
  between: (least: string, most: string) => `${least} to ${most}`,
  atLeast: (what: string) => `at least ${what}`,
  atMost: (what: string) => `at most ${what}`,
  moreThan: (what: string) => `more than ${what}`,
  lessThan: (what: string) => `less than ${what}`,
  pattern: (pattern: string) => `pattern ${pattern}`,
  aWholeNumber: "whole number",
  wholeNumber: (range: string) => `whole number, ${range}`,
  anyJson: "JSON",
  emptyIsNull: "if left empty, null is sent",
  optional: "optional",
  yes: "Yes",
  no: "No",
  unset: "Leave out",
  choose: "Choose …",
  noFields: "There is nothing to fill in.",
  content: "Content as JSON",
  notANumber: "Not a number: digits, with a point before decimals, such as 0.5",
  notJson: "Not JSON yet",
  notJsonAt: (line: number, column: number) => `Not JSON: see line ${line}, column ${column}`,
  isJson: "Valid JSON. It is checked against the schema before it is sent.",
  staysJson: "This cannot be shown as fields, so it stays JSON.",
  unshowable: {
    notJson: "The text is not JSON.",
    notAnObject: "The text is not an object.",
    repeated: (name: string) => `“${name}” appears twice.`,
    unknown: (name: string) => `The form has no field “${name}”.`,
    value: (name: string) => `The value of “${name}” does not fit its field.`,
  },
  fallback: "This form can only be filled in as JSON.",
  doNotFit: (n: number) => (n === 1 ? "1 value does not fit. Nothing was sent." : `${n} values do not fit. Nothing was sent.`),
  whole: "The content as a whole",
};
