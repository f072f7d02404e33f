// Agent at work on a task, on its card: fetched when the first such card is shown.

import { AgentMark } from '../../pieces/session-state.tsx';
import { useAgentAtWork } from '../../queries/agents/at-work.ts';

export default function CardAgent({ taskId }: { taskId: string }) {
  const agent = useAgentAtWork(taskId);
  return agent && <AgentMark agent={agent} />;
}
