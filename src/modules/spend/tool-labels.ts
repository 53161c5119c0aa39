/** Which tool a call is counted under: the client's own tools by name; what people connect or invent has none. */

const wellKnown: ReadonlySet<string> = new Set([
  'Agent',
  'AskUserQuestion',
  'Bash',
  'BashOutput',
  'Edit',
  'EnterPlanMode',
  'ExitPlanMode',
  'Glob',
  'Grep',
  'KillShell',
  'LS',
  'LSP',
  'ListMcpResourcesTool',
  'MultiEdit',
  'NotebookEdit',
  'NotebookRead',
  'Read',
  'ReadMcpResourceTool',
  'Skill',
  'SlashCommand',
  'StructuredOutput',
  'Task',
  'TaskCreate',
  'TaskGet',
  'TaskList',
  'TaskOutput',
  'TaskStop',
  'TaskUpdate',
  'TodoRead',
  'TodoWrite',
  'ToolSearch',
  'WebFetch',
  'WebSearch',
  'Write',
  'web_fetch',
  'web_search',
])

export function findToolLabel(tool: string): string {
  if (wellKnown.has(tool)) return tool
  return tool.startsWith('mcp__') ? 'mcp' : 'other'
}
