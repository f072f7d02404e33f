// Claim of a task on its card, fetched when the first claimed card is shown.

import { ClaimMark } from '../../pieces/claim-mark.tsx';
import { useClaim } from '../../queries/tasks/claims.ts';

export default function CardClaim({ taskId }: { taskId: string }) {
  const claim = useClaim(taskId);
  return claim && <ClaimMark claim={claim} />;
}
