// Tools and a prompt of the conformance suite that ask their client for samples, answers or roots. In revision 2025-11-25 the same handlers ask while a
// request is under way; in 2026-07-28 they answer with what they need, and are called again.

import { randomBytes } from 'node:crypto';
import {
  acceptedContent,
  type CallToolResult,
  createRequestStateCodec,
  fromJsonSchema,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  type McpServer,
  type ServerContext,
} from '@modelcontextprotocol/server';

export const requestState = createRequestStateCodec<{ readonly round: number }>({ key: randomBytes(32) });

type Answers = ServerContext['mcpReq']['inputResponses'];
type Requests = NonNullable<InputRequiredResult['inputRequests']>;
type Property = Record<string, unknown>;

const says = (words: string): CallToolResult => ({ content: [{ type: 'text', text: words }] });

const ask = (message: string, properties: Record<string, Property>, required = Object.keys(properties)) =>
  inputRequired.elicit({
    message,
    requestedSchema: { type: 'object', properties, required } as Parameters<
      typeof inputRequired.elicit
    >[0]['requestedSchema'],
  });
const one = (type: string): Property => ({ type });
const sample = (words: string, maxTokens = 100) =>
  inputRequired.createMessage({ messages: [{ role: 'user', content: { type: 'text', text: words } }], maxTokens });

function sampledIn(answers: Answers, key: string): string | null {
  const view = inputResponse(answers, key);
  if (view.kind !== 'sampling') return null;
  const { content } = view.result;
  const first = Array.isArray(content) ? content[0] : content;
  return first?.type === 'text' ? first.text : '';
}

function rootsIn(answers: Answers, key: string): string | null {
  const view = inputResponse(answers, key);
  return view.kind === 'roots' ? view.roots.map(({ uri }) => uri).join(', ') : null;
}

export function addQuestions(server: McpServer): void {
  addDuring(server);
  addBetween(server);
  addRounds(server);
}

/** Those of revision 2025-11-25. */
function addDuring(server: McpServer): void {
  const given = (name: string) =>
    fromJsonSchema<Record<string, string>>({ type: 'object', properties: { [name]: one('string') }, required: [name] });
  server.registerTool(
    'test_sampling',
    { description: 'Asks for a sample', inputSchema: given('prompt') },
    ({ prompt = '' }, { mcpReq }) => {
      const answer = sampledIn(mcpReq.inputResponses, 'sample');
      return answer === null
        ? inputRequired({ inputRequests: { sample: sample(prompt) } })
        : says(`LLM response: ${answer}`);
    },
  );
  const elicits = (
    name: string,
    inputSchema: ReturnType<typeof given> | null,
    words: string,
    request: Requests[string],
  ) =>
    server.registerTool(
      name,
      { description: 'Asks its user', inputSchema: inputSchema ?? fromJsonSchema({ type: 'object' }) },
      (args, { mcpReq }) => {
        const view = inputResponse(mcpReq.inputResponses, 'answer');
        if (view.kind === 'elicit')
          return says(`${words}: action=${view.action}, content=${JSON.stringify(view.content ?? {})}`);
        const { message } = args as { message?: string };
        const params = { ...request.params, ...(message === undefined ? {} : { message }) };
        return inputRequired({ inputRequests: { answer: { ...request, params } as Requests[string] } });
      },
    );
  elicits(
    'test_elicitation',
    given('message'),
    'User response',
    ask('', {
      username: { type: 'string', description: 'Name of the user' },
      email: { type: 'string', description: 'Email address of the user' },
    }),
  );
  elicits(
    'test_elicitation_sep1034_defaults',
    null,
    'Elicitation completed',
    ask(
      'Check the values',
      {
        name: { type: 'string', default: 'John Doe' },
        age: { type: 'integer', default: 30 },
        score: { type: 'number', default: 95.5 },
        status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
        verified: { type: 'boolean', default: true },
      },
      [],
    ),
  );
  const options = ['option1', 'option2', 'option3'];
  const titled = (...titles: readonly string[]) => titles.map((title, at) => ({ const: `value${at + 1}`, title }));
  elicits(
    'test_elicitation_sep1330_enums',
    null,
    'Elicitation completed',
    ask(
      'Choose',
      {
        untitledSingle: { type: 'string', enum: options },
        titledSingle: { type: 'string', oneOf: titled('First Option', 'Second Option', 'Third Option') },
        legacyEnum: {
          type: 'string',
          enum: ['opt1', 'opt2', 'opt3'],
          enumNames: ['Option One', 'Option Two', 'Option Three'],
        },
        untitledMulti: { type: 'array', items: { type: 'string', enum: options } },
        titledMulti: { type: 'array', items: { anyOf: titled('First Choice', 'Second Choice', 'Third Choice') } },
      },
      [],
    ),
  );
}

/** Those of revision 2026-07-28 that ask once. */
function addBetween(server: McpServer): void {
  const name = ask('What is your name?', { name: one('string') });
  server.registerTool('test_input_required_result_elicitation', { description: 'Asks for a name' }, ({ mcpReq }) => {
    const answer = acceptedContent<{ name?: unknown }>(mcpReq.inputResponses, 'user_name');
    return typeof answer?.name === 'string'
      ? says(`Hello, ${answer.name}!`)
      : inputRequired({ inputRequests: { user_name: name } });
  });
  server.registerTool('test_streaming_elicitation', { description: 'Asks for a name' }, ({ mcpReq }) =>
    inputResponse(mcpReq.inputResponses, 'user_name').kind === 'missing'
      ? inputRequired({ inputRequests: { user_name: name } })
      : says('Done'),
  );
  server.registerTool('test_missing_capability', { description: 'Needs samples' }, ({ mcpReq }) =>
    sampledIn(mcpReq.inputResponses, 'sample') === null
      ? inputRequired({ inputRequests: { sample: sample('Say anything') } })
      : says('Done'),
  );
  server.registerTool('test_input_required_result_sampling', { description: 'Asks for a sample' }, ({ mcpReq }) => {
    const answer = sampledIn(mcpReq.inputResponses, 'capital_question');
    return answer === null
      ? inputRequired({ inputRequests: { capital_question: sample('What is the capital of France?') } })
      : says(answer);
  });
  server.registerTool('test_input_required_result_list_roots', { description: 'Asks for roots' }, ({ mcpReq }) => {
    const answer = rootsIn(mcpReq.inputResponses, 'client_roots');
    return answer === null
      ? inputRequired({ inputRequests: { client_roots: inputRequired.listRoots() } })
      : says(`Roots: ${answer}`);
  });
  server.registerTool(
    'test_input_required_result_capabilities',
    { description: 'Asks only for what its client can' },
    ({ mcpReq }) => {
      const { sampling, elicitation } = ((mcpReq.envelope as Record<string, unknown> | undefined)?.[
        'io.modelcontextprotocol/clientCapabilities'
      ] ?? {}) as { sampling?: object; elicitation?: object };
      const inputRequests = {
        ...(sampling === undefined ? {} : { greeting: sample('Generate a greeting', 50) }),
        ...(elicitation === undefined ? {} : { user_name: name }),
      };
      return Object.keys(inputRequests).length === 0 || mcpReq.inputResponses !== undefined
        ? says('Done')
        : inputRequired({ inputRequests });
    },
  );
  const context = ask('What context should the prompt use?', { context: one('string') });
  server.registerPrompt('test_input_required_result_prompt', { description: 'Asks for its context' }, ({ mcpReq }) => {
    const answer = acceptedContent<{ context?: string }>(mcpReq.inputResponses, 'user_context');
    return answer === undefined
      ? inputRequired({ inputRequests: { user_context: context } })
      : { messages: [{ role: 'user', content: { type: 'text', text: `Use this context: ${answer.context}` } }] };
  });
}

/** Those that find themselves again by a state that their client brings. */
function addRounds(server: McpServer): void {
  const confirm = ask('Please confirm', { ok: one('boolean') });
  for (const name of ['test_input_required_result_request_state', 'test_input_required_result_tampered_state'])
    server.registerTool(name, { description: 'Asks to confirm' }, async (context) => {
      const state = context.mcpReq.requestState<{ round: number }>();
      return state === undefined || inputResponse(context.mcpReq.inputResponses, 'confirm').kind === 'missing'
        ? inputRequired({
            inputRequests: { confirm },
            requestState: await requestState.mint({ round: 1 }, context),
          })
        : says('state-ok');
    });
  server.registerTool(
    'test_input_required_result_multiple_inputs',
    { description: 'Asks for three things' },
    async (context) => {
      const { inputResponses } = context.mcpReq;
      const name = acceptedContent<{ name?: string }>(inputResponses, 'user_name');
      const greeting = sampledIn(inputResponses, 'greeting');
      const roots = rootsIn(inputResponses, 'client_roots');
      if (name !== undefined && greeting !== null && roots !== null)
        return says(`${greeting} ${name.name}, of ${roots}`);
      return inputRequired({
        inputRequests: {
          user_name: ask('What is your name?', { name: one('string') }),
          greeting: sample('Generate a greeting', 50),
          client_roots: inputRequired.listRoots(),
        },
        requestState: await requestState.mint({ round: 1 }, context),
      });
    },
  );
  server.registerTool('test_input_required_result_multi_round', { description: 'Asks twice' }, async (context) => {
    const { inputResponses } = context.mcpReq;
    const round = context.mcpReq.requestState<{ round: number }>()?.round ?? 0;
    const again = async (key: string, message: string, property: string, next: number) =>
      inputRequired({
        inputRequests: { [key]: ask(message, { [property]: one('string') }) },
        requestState: await requestState.mint({ round: next }, context),
      });
    if (round === 2 && inputResponse(inputResponses, 'step2').kind === 'elicit') return says('Done');
    if (round === 1 && inputResponse(inputResponses, 'step1').kind === 'elicit')
      return again('step2', 'Step 2: What is your favorite color?', 'color', 2);
    return again('step1', 'Step 1: What is your name?', 'name', 1);
  });
}
