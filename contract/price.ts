// Something that can be bought: the server writes it into its pages, and the app shows it.

export interface Price {
  readonly id: string;
  readonly name: string;
  readonly mode: 'payment' | 'subscription';
  /** Null: the provider alone knows it. */
  readonly amount: number | null;
  readonly currency: string | null;
  readonly interval: string | null;
  readonly intervalCount: number;
}
