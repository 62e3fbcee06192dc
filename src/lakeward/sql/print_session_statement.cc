#include "lakeward/sql/sql_printer.h"

namespace lakeward::sql {

void SqlPrinter::PrintSessionStatement(const Statement& statement) {
  switch (statement.kind) {
    case StatementKind::kBeginStatementSet:
    case StatementKind::kEndStatementSet:
      return Write(NameOf(statement.kind));
    case StatementKind::kExecutePlan:
      Write("EXECUTE PLAN ");
      return WriteString(statement.As<ExecutePlanStatement>().path);
    case StatementKind::kTruncateTable:
      Write("TRUNCATE TABLE ");
      return Print(statement.As<TruncateTableStatement>().name);
    case StatementKind::kAnalyzeTable:
      return PrintAnalyze(statement.As<AnalyzeTableStatement>());
    case StatementKind::kUseModules:
      Write("USE MODULES ");
      return WriteList(statement.As<UseModulesStatement>().modules,
                       [this](const Identifier& module) { Print(module); });
    case StatementKind::kLoadModule:
      Write("LOAD MODULE ");
      Print(statement.As<LoadModuleStatement>().name);
      return PrintWithOptions(statement.As<LoadModuleStatement>().options);
    case StatementKind::kUnloadModule:
      Write("UNLOAD MODULE ");
      return Print(statement.As<UnloadModuleStatement>().name);
    case StatementKind::kCall:
      return PrintProcedureCall(statement.As<CallStatement>());
    case StatementKind::kDescribe:
      return PrintDescribe(statement.As<DescribeStatement>());
    case StatementKind::kSet:
    case StatementKind::kReset:
      return PrintSetting(statement);
    case StatementKind::kJar:
      Write(statement.As<JarStatement>().add ? "ADD JAR " : "REMOVE JAR ");
      return WriteString(statement.As<JarStatement>().path);
    case StatementKind::kStopJob: {
      const auto& stop = statement.As<StopJobStatement>();
      Write("STOP JOB ");
      WriteString(stop.job_id);
      Write(stop.with_savepoint ? " WITH SAVEPOINT" : "");
      return Write(stop.with_drain ? " WITH DRAIN" : "");
    }
    default:
      return PrintClientCommand(statement.As<ClientCommandStatement>());
  }
}

void SqlPrinter::PrintAnalyze(const AnalyzeTableStatement& analyze) {
  Write("ANALYZE TABLE ");
  Print(analyze.name);
  if (!analyze.partition.empty()) {
    Write(" PARTITION ");
    PrintPartition(analyze.partition);
  }
  Write(" COMPUTE STATISTICS");
  Write(analyze.all_columns ? " FOR ALL COLUMNS" : "");
  Write(analyze.columns.empty() ? "" : " FOR COLUMNS ");
  WriteList(analyze.columns, [this](const Identifier& column) { Print(column); });
}

void SqlPrinter::PrintProcedureCall(const CallStatement& call) {
  Write("CALL ");
  Print(call.procedure);
  Write("(");
  WriteList(call.arguments, [this](const FunctionArgument& argument) { PrintArgument(argument); });
  Write(")");
}

void SqlPrinter::PrintDescribe(const DescribeStatement& describe) {
  static constexpr std::string_view kSubjects[] = {"", "CATALOG ", "DATABASE ", "FUNCTION ",
                                                   "JOB "};
  Write("DESCRIBE ");
  Write(kSubjects[static_cast<size_t>(describe.subject)]);
  Write(describe.extended ? "EXTENDED " : "");
  if (describe.subject == DescribeSubject::kJob) {
    return WriteString(describe.job_id);
  }
  Print(describe.object);
}

void SqlPrinter::PrintSetting(const Statement& statement) {
  if (const auto* reset = statement.AsIf<ResetStatement>()) {
    Write("RESET");
    if (reset->key.has_value()) {
      Write(" ");
      WriteString(*reset->key);
    }
    return;
  }
  const auto& option = statement.As<SetStatement>().option;
  Write("SET");
  if (option.has_value()) {
    Write(" ");
    WriteString(option->key);
    Write(" = ");
    WriteString(option->value);
  }
}

void SqlPrinter::PrintClientCommand(const ClientCommandStatement& command) {
  static constexpr std::string_view kCommands[] = {"HELP", "CLEAR", "QUIT", "SOURCE "};
  Write(kCommands[static_cast<size_t>(command.command)]);
  if (command.command == ClientCommand::kSource) {
    WriteString(command.path);
  }
}

}  // namespace lakeward::sql
