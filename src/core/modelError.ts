/** Why a model did not answer. `message` is for the user, in words with the next step. */
export class ModelError extends Error {
  override readonly name = "ModelError";
}
