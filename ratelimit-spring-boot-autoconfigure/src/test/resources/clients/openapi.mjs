// Validates an OpenAPI document, and says of each exchange, a line each, which operation it was, or what is wrong.
import { readFileSync } from 'node:fs';
import { Validator } from '@seriousme/openapi-schema-validator';
import Ajv from 'ajv/dist/2020.js';

const [documentFile, exchangesFile, address] = process.argv.slice(2);
const document = JSON.parse(readFileSync(documentFile, 'utf8'));
// Relative to the address where the document was read.
const base = new URL(document.servers[0].url, address).pathname;

// What a schema does not name is not described, so nothing may have it.
function close(node) {
  if (node !== null && typeof node === 'object') {
    Object.values(node).forEach(close);
    if (node.type === 'object' && node.properties !== undefined && node.additionalProperties === undefined) {
      node.additionalProperties = false;
    }
  }
}

function pattern(template) {
  return new RegExp(`^${template.replace(/[.]/g, '\\.').replace(/\{[^}]+\}/g, '[^/]+')}$`);
}

function pointer(...names) {
  return names.map((name) => `/${encodeURIComponent(name.replace(/~/g, '~0').replace(/\//g, '~1'))}`).join('');
}

function invalid(schema, text) {
  const validate = ajv.getSchema(`api#${schema}`);
  return validate(JSON.parse(text)) ? undefined : ajv.errorsText(validate.errors);
}

function body(place, content, type, text) {
  if (content === undefined) {
    return (text === '') ? undefined : `no content is described, and there is ${text}`;
  }
  const plain = (type ?? '').split(';')[0];
  return (plain in content) ? invalid(`${place}${pointer('content', plain, 'schema')}`, text) : `'${plain}' is not described`;
}

function read({ method, path, sent, status, type, received }) {
  const way = path.slice(base.length).split('?')[0];
  const known = Object.keys(document.paths).filter((template) => pattern(template).test(way));
  const operation = known.map((template) => document.paths[template][method.toLowerCase()])[0];
  if (operation === undefined) {
    return { error: `${method} ${path} is not described` };
  }
  const place = pointer('paths', known[0], method.toLowerCase());
  const response = operation.responses[status];
  const refused = status === 400 || status === 411 || status === 413;
  const problems = [
    (path.startsWith(base)) ? undefined : `${path} is not below ${base}`,
    (sent === '' || refused) ? undefined : invalid(`${place}${pointer('requestBody', 'content', 'application/json', 'schema')}`, sent),
    (response === undefined) ? `status ${status} is not described`
      : body(`${place}${pointer('responses', `${status}`)}`, response.content, type, received),
  ].filter((problem) => problem !== undefined);
  return { operation: operation.operationId, status, error: problems.map((problem) => `${method} ${path} ${status}: ${problem}`).join('; ') };
}

const answer = await new Validator().validate(structuredClone(document));
console.log(JSON.stringify({ error: (answer.valid) ? '' : JSON.stringify(answer.errors) }));
close(document);
const ajv = new Ajv({ strict: false, allErrors: true });
ajv.addSchema(document, 'api');
for (const line of readFileSync(exchangesFile, 'utf8').split('\n').filter((text) => text !== '')) {
  console.log(JSON.stringify(read(JSON.parse(line))));
}
