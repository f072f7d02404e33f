// Words of the billing page.

export const billing = {
  title: 'Billing',
  plan: 'Your plan',
  planHint: 'What you have, and until when.',
  free: 'You have no paid plan.',
  freePlan: (name: string) => `You are on the ${name} plan.`,
  status: {
    active: 'Active',
    trialing: 'Trial',
    past_due: 'Payment overdue',
    unpaid: 'Unpaid',
    canceled: 'Ended',
    incomplete: 'Waiting for the first payment',
    incomplete_expired: 'Never started',
    paused: 'Paused',
    paid: 'Paid',
    pending: 'Payment on its way',
    failed: 'Payment failed',
    refunded: 'Refunded',
    disputed: 'In dispute',
  } as Record<string, string>,
  renews: (date: string) => `Renews on ${date}.`,
  ends: (date: string) => `Ends on ${date}. Until then everything stays as it is.`,
  trialEnds: (date: string) => `Free until ${date}, then the first payment is due.`,
  forGood: 'Bought once, yours for good.',
  overdue: 'The last payment did not go through. Update how you pay, or the plan will end.',
  /** What was there before, by its status: no plan comes from it now. */
  before: {
    canceled: (name: string, date: string | null) =>
      date === null ? `${name} has ended.` : `${name} ended on ${date}.`,
    unpaid: (name: string) => `${name} rests, because payments did not go through. Update how you pay to have it back.`,
    incomplete: (name: string) =>
      `${name} begins with the first payment, which has not arrived. Finish it, or choose again.`,
    incomplete_expired: (name: string) =>
      `${name} never began: the first payment did not arrive. Choose again when you like.`,
    paused: (name: string) => `${name} is paused. Add a way to pay to have it back.`,
    pending: (name: string) => `${name} begins when your payment arrives, which can take some days.`,
    failed: (name: string) =>
      `The payment for ${name} did not go through, and nothing was charged. Buy it again when you like.`,
    refunded: (name: string) => `Your payment for ${name} was returned to you.`,
    disputed: (name: string) =>
      `The payment for ${name} is in dispute. The plan comes back if the dispute ends in its favour.`,
  } as Record<string, (name: string, date: string | null) => string>,
  otherwise: (name: string, status: string) => `${name}: ${status}`,
  limits: 'Included',
  limit: (name: string, n: number) =>
    name === 'projects'
      ? `${n.toLocaleString()} projects`
      : name === 'members_per_project'
        ? `${n.toLocaleString()} members a project`
        : `${name.replaceAll('_', ' ')}: ${n.toLocaleString()}`,
  manage: 'Manage payment, invoices and cancellation',
  manageHint: 'Opens the pages of our payment provider.',
  prices: 'Plans',
  pricesHint: 'You pay at our payment provider and come back here.',
  noPrices: 'Nothing is for sale yet.',
  buy: 'Buy',
  choose: 'Choose',
  change: 'Change plan',
  current: 'Your plan',
  askPrice: 'Price at checkout',
  purchases: 'Purchases',
  purchasesHint: 'What you bought once.',
  thing: 'What',
  when: 'When',
  amount: 'Amount',
  state: 'Status',
  unnamed: 'Your purchase',
  paid: 'Thank you! Your payment is being confirmed; this page shows it in a moment.',
  arrived: 'Thank you! Your payment has arrived.',
  late: 'Your payment has not been confirmed yet. It shows here as soon as it is; nothing is lost if you leave this page.',
  failed: 'That did not work.',
  off: 'Payments are not set up on this server.',
  offWords: 'Everything is included. Whoever runs this Kanbase can switch payments on.',
} as const;
