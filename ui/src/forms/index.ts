/** Forms from {@link FormSpec}: a draft of what is filled in, how it is edited, and what it amounts to as JSON. */
export { check } from "./check";
export { contentOf, draftOf, newDraft, typedIn, type FormDraft } from "./draft";
export { FormEditor, type FormHandle, type Into } from "./FormEditor";
export { fitted } from "./former";
export { labelAt, lengthOf, replacedAt, withoutAt } from "./secrets";
export { useFit } from "./useFit";
export { parseDraft, serialiseDraft } from "./kept";
