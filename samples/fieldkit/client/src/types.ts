export interface Observation {
  id: string;
  species: string;
  count: number;
  latitude: number;
  longitude: number;
  note: string;
  observer: string;
  version: number;
  deleted: boolean;
}

export interface Change {
  observation: string;
  baseVersion: number;
  fields: Partial<Observation>;
  deleted?: boolean;
}

export interface SyncAnswer {
  newest: number;
  observations: Observation[];
  conflicts: number[];
  refused: Record<string, string>;
}
