package dev.ratelimit.web.graphql;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Function;

import dev.ratelimit.RateLimitContext;
import dev.ratelimit.engine.Edition;
import dev.ratelimit.gate.RequestProgress;
import dev.ratelimit.web.GateRequest;
import dev.ratelimit.web.response.HeaderFactory;
import graphql.ExecutionInput;
import graphql.GraphQLError;
import graphql.execution.AbortExecutionException;
import graphql.execution.preparsed.PreparsedDocumentEntry;
import graphql.execution.preparsed.PreparsedDocumentProvider;
import graphql.normalized.ExecutableNormalizedOperation;
import graphql.normalized.ExecutableNormalizedOperationFactory;
import graphql.schema.GraphQLSchema;

/**
 * Evaluates each operation when its document is valid, with any provider of documents.
 * The document of a rejected operation is an error. Thread-safe.
 */
final class LimitedDocumentProvider implements PreparsedDocumentProvider {

	private final PreparsedDocumentProvider documents;

	private final GraphQLSchema schema;

	private final QueryCosts costs;

	private final OperationGate gate;

	private final HeaderFactory headers;

	private final Executor executor;

	private final int maxFields;

	/**
	 * Create a provider.
	 * @param documents the application's provider
	 * @param schema the schema
	 * @param gate the gate for operations
	 * @param headers the factory of header fields
	 * @param executor runs the continuation of a decision that is not immediate
	 * @param maxFields the maximum number of fields of an operation
	 */
	LimitedDocumentProvider(PreparsedDocumentProvider documents, GraphQLSchema schema, OperationGate gate,
			HeaderFactory headers, Executor executor, int maxFields) {
		this.documents = documents;
		this.schema = schema;
		this.costs = new QueryCosts(schema);
		this.gate = gate;
		this.headers = headers;
		this.executor = executor;
		this.maxFields = maxFields;
	}

	@Override
	public CompletableFuture<PreparsedDocumentEntry> getDocumentAsync(ExecutionInput input,
			Function<ExecutionInput, PreparsedDocumentEntry> parseAndValidate) {
		// Resolvers read the attribute even if no rule applies.
		input.getGraphQLContext().put(RateLimitContext.ATTRIBUTE, RateLimitContext.NONE);
		CompletableFuture<PreparsedDocumentEntry> document = this.documents.getDocumentAsync(input, parseAndValidate);
		Edition edition = this.gate.edition();
		return (this.gate.limits(edition)) ? document.thenCompose((entry) -> decide(edition, input, entry)) : document;
	}

	private CompletableFuture<PreparsedDocumentEntry> decide(Edition edition, ExecutionInput input,
			PreparsedDocumentEntry entry) {
		if (entry.hasErrors()) {
			return CompletableFuture.completedFuture(entry);
		}
		ExecutableNormalizedOperation normalized;
		try {
			normalized = ExecutableNormalizedOperationFactory.createExecutableNormalizedOperationWithRawVariables(
					this.schema, entry.getDocument(), input.getOperationName(), input.getRawVariables(),
					ExecutableNormalizedOperationFactory.Options.defaultOptions()
						.maxFieldsCount(this.maxFields)
						.graphQLContext(input.getGraphQLContext())
						.locale(input.getLocale())
						.deferSupport(true));
		}
		catch (AbortExecutionException ex) {
			return rejected(OperationErrors.tooManyFields(this.maxFields));
		}
		catch (RuntimeException ex) {
			// The variables or the name are invalid. graphql-java may report this only
			// when it fetches a field, after the resolvers of other fields have run
			// without a charge. Therefore, the operation is rejected before its
			// execution.
			if (ex instanceof GraphQLError error) {
				return rejected(error);
			}
			throw ex;
		}
		Optional<OperationState> state = Optional.ofNullable(input.getGraphQLContext().get(OperationState.KEY));
		GateRequest call = state.map(OperationState::call).orElse(OperationCall.UNKNOWN);
		CompletableFuture<RequestProgress> decided = this.gate.decide(edition, call, this.costs.of(normalized));
		Function<RequestProgress, PreparsedDocumentEntry> outcome = (progress) -> entry(input, state, entry, progress);
		if (decided.isDone()) {
			return decided.thenApply(outcome);
		}
		CompletableFuture<PreparsedDocumentEntry> later = decided.thenApplyAsync(outcome, this.executor);
		// If the executor rejects the task, the operation is not executed.
		later.whenComplete((done, failure) -> {
			if (failure != null) {
				decided.thenAccept(RequestProgress::abandon);
			}
		});
		return later;
	}

	private static CompletableFuture<PreparsedDocumentEntry> rejected(GraphQLError error) {
		return CompletableFuture.completedFuture(new PreparsedDocumentEntry(error));
	}

	private PreparsedDocumentEntry entry(ExecutionInput input, Optional<OperationState> state,
			PreparsedDocumentEntry entry, RequestProgress progress) {
		long jitterSeconds = (progress.allowed()) ? 0 : this.headers.jitterSeconds();
		state.ifPresent((present) -> present.decided(progress, jitterSeconds));
		if (progress.allowed()) {
			input.getGraphQLContext().put(RateLimitContext.ATTRIBUTE, new RateLimitContext(progress.decision()));
			return entry;
		}
		return new PreparsedDocumentEntry(OperationErrors.of(progress.decision(), jitterSeconds));
	}

}
