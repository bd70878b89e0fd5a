import type { Action } from "../actions/actions.ts";
import type { State } from "./types.ts";

export type Reducer = (state: State, action: Action) => State;
export type Dispatch = (action: Action) => void;
export type Listener = (state: State) => void;
export interface EffectContext {
  dispatch: Dispatch;
  getState: () => State;
}
export type Effect = (action: Action, context: EffectContext) => void | Promise<void>;

/** Holds the state. Effects run after the reducers, and their failures never reach the caller. */
export class Store {
  private state: State;
  private listeners = new Set<Listener>();
  private effects: Effect[] = [];
  private reducing = false;

  constructor(private reducer: Reducer, initial: State) {
    this.state = initial;
  }

  getState = (): State => this.state;

  dispatch: Dispatch = (action) => {
    if (this.reducing) throw new Error(`a reducer dispatched ${action.type}`);
    this.reducing = true;
    const before = this.state;
    try {
      this.state = this.reducer(before, action);
    } finally {
      this.reducing = false;
    }
    if (this.state !== before) this.listeners.forEach((listener) => listener(this.state));
    for (const effect of this.effects) {
      Promise.resolve()
        .then(() => effect(action, { dispatch: this.dispatch, getState: this.getState }))
        .catch((error) => console.error("effect failed", action.type, error));
    }
  };

  subscribe(listener: Listener): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  use(effect: Effect): this {
    this.effects.push(effect);
    return this;
  }
}
