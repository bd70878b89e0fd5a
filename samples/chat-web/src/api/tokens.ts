/** The access token lives in memory; the refresh token is a cookie that scripts cannot read. */
export class TokenStore {
  access = "";
  private pending: Promise<boolean> | undefined;

  constructor(private endpoint: string, private onSignedOut: () => void) {}

  /** Asks for a new access token. Callers that come while one is under way share its answer. */
  refresh(): Promise<boolean> {
    this.pending ??= this.ask().finally(() => (this.pending = undefined));
    return this.pending;
  }

  private async ask(): Promise<boolean> {
    const response = await fetch(this.endpoint, { method: "POST", credentials: "include" });
    if (!response.ok) {
      this.access = "";
      this.onSignedOut();
      return false;
    }
    this.access = (await response.json()).access;
    return true;
  }
}
