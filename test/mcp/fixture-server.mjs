// What the official conformance runner wants to find on a server: tools, resources and prompts with fixed names.
import {
  acceptedContent,
  createRequestStateCodec,
  inputRequired,
  inputResponse,
  McpServer,
  ResourceTemplate,
} from '@modelcontextprotocol/server';
import { z } from 'zod';

const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';
const SILENCE = 'UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA=';
const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities';

const text = (words) => ({ content: [{ type: 'text', text: words }] });
const image = { type: 'image', data: PIXEL, mimeType: 'image/png' };
const embedded = (uri, mimeType, words) => ({ type: 'resource', resource: { uri, mimeType, text: words } });
const said = (...content) => ({ messages: content.map((one) => ({ role: 'user', content: one })) });

const formOf = (message, properties, required = []) =>
  inputRequired.elicit({ message, requestedSchema: { type: 'object', properties, required } });
const form = (message, name, type) => formOf(message, { [name]: { type } }, [name]);
const ask = (words, maxTokens) =>
  inputRequired.createMessage({
    messages: [{ role: 'user', content: { type: 'text', text: words } }],
    maxTokens,
  });
const named = (responses, key) => acceptedContent(responses, key, z.object({ name: z.string() }))?.name;

/** Asks once, then says how it was answered. */
function asked(question, { mcpReq }, begin) {
  const answer = inputResponse(mcpReq.inputResponses, 'answer');
  if (answer.kind === 'missing') return inputRequired({ inputRequests: { answer: question } });
  const { kind: _kind, ...heard } = answer;
  return text(`${begin}: ${JSON.stringify(heard)}`);
}

const options = (...names) => names.map((name, i) => ({ const: `value${i + 1}`, title: name }));
const DEFAULTS = {
  name: { type: 'string', default: 'John Doe' },
  age: { type: 'integer', default: 30 },
  score: { type: 'number', default: 95.5 },
  status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
  verified: { type: 'boolean', default: true },
};
const ENUMS = {
  untitledSingle: { type: 'string', enum: ['option1', 'option2', 'option3'] },
  titledSingle: { type: 'string', oneOf: options('First Option', 'Second Option', 'Third Option') },
  legacyEnum: {
    type: 'string',
    enum: ['opt1', 'opt2', 'opt3'],
    enumNames: ['Option One', 'Option Two', 'Option Three'],
  },
  untitledMulti: { type: 'array', items: { type: 'string', enum: ['option1', 'option2', 'option3'] } },
  titledMulti: { type: 'array', items: { anyOf: options('First Choice', 'Second Choice', 'Third Choice') } },
};
const PERSON = {
  username: { type: 'string', description: "User's response" },
  email: { type: 'string', description: "User's email address" },
};

const state = createRequestStateCodec({ key: crypto.getRandomValues(new Uint8Array(32)) });

/** Tools by name: each takes its arguments and the context of the call. */
const TOOLS = {
  test_simple_text: () => text('This is a simple text response for testing.'),
  test_image_content: () => ({ content: [image] }),
  test_audio_content: () => ({ content: [{ type: 'audio', data: SILENCE, mimeType: 'audio/wav' }] }),
  test_embedded_resource: () => ({
    content: [embedded('test://embedded-resource', 'text/plain', 'This is an embedded resource content.')],
  }),
  test_multiple_content_types: () => ({
    content: [
      { type: 'text', text: 'Multiple content types test:' },
      image,
      embedded('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
    ],
  }),
  test_error_handling: () => ({
    ...text('This tool intentionally returns an error for testing'),
    isError: true,
  }),
  async test_tool_with_logging(_given, { mcpReq }) {
    for (const words of ['Tool execution started', 'Tool processing data', 'Tool execution completed']) {
      await mcpReq.log('info', words);
    }
    return text('Tool with logging executed successfully');
  },
  async test_tool_with_progress(_given, { mcpReq }) {
    const progressToken = mcpReq._meta?.progressToken ?? 0;
    for (const progress of [0, 50, 100]) {
      await mcpReq.notify({
        method: 'notifications/progress',
        params: { progressToken, progress, total: 100 },
      });
    }
    return text(String(progressToken));
  },
  test_elicitation_sep1034_defaults: (_given, context) =>
    asked(formOf('Please review the defaults', DEFAULTS), context, 'Elicitation completed'),
  test_elicitation_sep1330_enums: (_given, context) =>
    asked(formOf('Please choose', ENUMS), context, 'Elicitation completed'),
  async test_logging_tool(_given, { mcpReq }) {
    await mcpReq.log('info', 'only for those who asked');
    return text('done');
  },
  // Asks for what the client may not have declared; the library refuses it then.
  test_missing_capability: () =>
    inputRequired({ inputRequests: { greeting: ask('Generate a greeting', 50) } }),
  test_streaming_elicitation(_given, { mcpReq }) {
    const name = named(mcpReq.inputResponses, 'user_name');
    return name === undefined
      ? inputRequired({ inputRequests: { user_name: form('What is your name?', 'name', 'string') } })
      : text(`Hello, ${name}!`);
  },
  test_input_required_result_elicitation(_given, { mcpReq }) {
    const name = named(mcpReq.inputResponses, 'user_name');
    return name === undefined
      ? inputRequired({ inputRequests: { user_name: form('What is your name?', 'name', 'string') } })
      : text(`Hello, ${name}!`);
  },
  test_input_required_result_sampling(_given, { mcpReq }) {
    const answer = inputResponse(mcpReq.inputResponses, 'capital_question');
    return answer.kind === 'sampling'
      ? text(JSON.stringify(answer.result.content))
      : inputRequired({ inputRequests: { capital_question: ask('What is the capital of France?', 100) } });
  },
  test_input_required_result_list_roots(_given, { mcpReq }) {
    const answer = inputResponse(mcpReq.inputResponses, 'client_roots');
    return answer.kind === 'roots'
      ? text(answer.roots.map(({ uri }) => uri).join(' '))
      : inputRequired({ inputRequests: { client_roots: inputRequired.listRoots() } });
  },
  async test_input_required_result_request_state(_given, context) {
    const { mcpReq } = context;
    if (mcpReq.requestState()?.step === 'confirm' && acceptedContent(mcpReq.inputResponses, 'confirm')) {
      return text('state-ok');
    }
    return inputRequired({
      inputRequests: { confirm: form('Please confirm', 'ok', 'boolean') },
      requestState: await state.mint({ step: 'confirm' }, context),
    });
  },
  async test_input_required_result_tampered_state(_given, context) {
    if (context.mcpReq.requestState()?.step === 'tamper') return text('nobody touched the state');
    return inputRequired({
      inputRequests: { confirm: form('Please confirm', 'ok', 'boolean') },
      requestState: await state.mint({ step: 'tamper' }, context),
    });
  },
  async test_input_required_result_multiple_inputs(_given, context) {
    const { mcpReq } = context;
    const all = ['user_name', 'greeting', 'client_roots'].every(
      (key) => inputResponse(mcpReq.inputResponses, key).kind !== 'missing',
    );
    if (all && mcpReq.requestState()?.step === 'all') return text('every input is here');
    return inputRequired({
      inputRequests: {
        user_name: form('What is your name?', 'name', 'string'),
        greeting: ask('Generate a greeting', 50),
        client_roots: inputRequired.listRoots(),
      },
      requestState: await state.mint({ step: 'all' }, context),
    });
  },
  async test_input_required_result_multi_round(_given, context) {
    const { mcpReq } = context;
    const step = mcpReq.requestState()?.step;
    if (step === 2 && acceptedContent(mcpReq.inputResponses, 'step2')) return text('both rounds are through');
    const second = step === 1 && acceptedContent(mcpReq.inputResponses, 'step1') !== undefined;
    return inputRequired({
      inputRequests: second
        ? { step2: form('Step 2: What is your favorite color?', 'color', 'string') }
        : { step1: form('Step 1: What is your name?', 'name', 'string') },
      requestState: await state.mint({ step: second ? 2 : 1 }, context),
    });
  },
  test_input_required_result_capabilities(_given, { mcpReq }) {
    const declared = mcpReq.envelope?.[CAPABILITIES] ?? {};
    const inputRequests = {
      ...(declared.elicitation ? { name: form('What is your name?', 'name', 'string') } : {}),
      ...(declared.sampling ? { greeting: ask('Generate a greeting', 50) } : {}),
    };
    return Object.keys(inputRequests).length === 0
      ? text('nothing to ask')
      : inputRequired({ inputRequests });
  },
};

const RESOURCES = {
  'static-text': [
    'test://static-text',
    'text/plain',
    { text: 'This is the content of the static text resource.' },
  ],
  'static-binary': ['test://static-binary', 'image/png', { blob: PIXEL }],
  'watched-resource': ['test://watched-resource', 'text/plain', { text: 'Watched resource content' }],
};

/** One server per exchange or session, as the library wants it. `changed` tells listening streams that a list is another one. */
export function fixtureServer(changed) {
  const server = new McpServer(
    { name: 'barograph-fixture', version: '1.0.0' },
    {
      capabilities: {
        tools: { listChanged: true },
        resources: { subscribe: true, listChanged: true },
        prompts: { listChanged: true },
        logging: {},
        completions: {},
      },
      requestState: { verify: (sealed, context) => state.verify(sealed, context) },
    },
  );
  for (const [name, run] of Object.entries(TOOLS)) {
    server.registerTool(name, { description: name, inputSchema: z.object({}) }, run);
  }
  server.registerTool(
    'test_sampling',
    { description: 'asks the model of the client', inputSchema: z.object({ prompt: z.string() }) },
    ({ prompt }, context) => asked(ask(prompt, 100), context, 'LLM response'),
  );
  server.registerTool(
    'test_elicitation',
    { description: 'asks the user of the client', inputSchema: z.object({ message: z.string() }) },
    ({ message }, context) => asked(formOf(message, PERSON, ['username', 'email']), context, 'User response'),
  );
  for (const what of ['tool', 'prompt']) {
    server.registerTool(`test_trigger_${what}_change`, { description: 'tells of a change' }, () => {
      changed(what);
      return text('told');
    });
  }
  for (const [name, [uri, mimeType, content]] of Object.entries(RESOURCES)) {
    server.registerResource(name, uri, { mimeType }, () => ({ contents: [{ uri, mimeType, ...content }] }));
  }
  const template = new ResourceTemplate('test://template/{id}/data', { list: undefined });
  server.registerResource('template', template, { mimeType: 'application/json' }, (uri, { id }) => ({
    contents: [
      { uri: uri.href, mimeType: 'application/json', text: JSON.stringify({ id, templateTest: true }) },
    ],
  }));
  server.registerPrompt('test_simple_prompt', { description: 'a prompt' }, () =>
    said({ type: 'text', text: 'This is a simple prompt for testing.' }),
  );
  server.registerPrompt(
    'test_prompt_with_arguments',
    { description: 'takes two arguments', argsSchema: z.object({ arg1: z.string(), arg2: z.string() }) },
    ({ arg1, arg2 }) => said({ type: 'text', text: `Prompt with arguments: arg1='${arg1}', arg2='${arg2}'` }),
  );
  server.registerPrompt(
    'test_prompt_with_embedded_resource',
    { description: 'brings a resource', argsSchema: z.object({ resourceUri: z.string() }) },
    ({ resourceUri }) =>
      said(embedded(resourceUri, 'text/plain', 'Embedded resource content for testing.'), {
        type: 'text',
        text: 'Please process the embedded resource above.',
      }),
  );
  server.registerPrompt('test_prompt_with_image', { description: 'brings an image' }, () =>
    said(image, { type: 'text', text: 'Please analyze the image above.' }),
  );
  server.registerPrompt('test_input_required_result_prompt', { description: 'asks back' }, ({ mcpReq }) => {
    const given = acceptedContent(mcpReq.inputResponses, 'user_context');
    return given === undefined
      ? inputRequired({
          inputRequests: { user_context: form('What context should the prompt use?', 'context', 'string') },
        })
      : said({ type: 'text', text: `Context: ${String(given.context)}` });
  });
  server.server.setRequestHandler('completion/complete', () => ({
    completion: { values: [], total: 0, hasMore: false },
  }));
  server.server.setRequestHandler('resources/subscribe', () => ({}));
  server.server.setRequestHandler('resources/unsubscribe', () => ({}));
  return server;
}
