package dev.ratelimit.web.graphql;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import dev.ratelimit.rule.GraphQlFields.OperationType;
import graphql.normalized.ExecutableNormalizedField;
import graphql.normalized.ExecutableNormalizedOperation;
import graphql.schema.GraphQLAppliedDirective;
import graphql.schema.GraphQLAppliedDirectiveArgument;
import graphql.schema.GraphQLFieldDefinition;
import graphql.schema.GraphQLFieldsContainer;
import graphql.schema.GraphQLNamedType;
import graphql.schema.GraphQLSchema;
import graphql.schema.GraphQLTypeUtil;
import org.jspecify.annotations.Nullable;

/**
 * Finds the costs of the fields of operations, by the directives {@code @cost} and
 * {@code @listSize} of the GraphQL Cost Directives Specification. A field costs its
 * weight; without one, 10 at the root of a mutation, 1 at another root or with a
 * selection, and otherwise 0. The cost of a selection below a list is multiplied by the
 * length of the list. Thread-safe.
 */
final class QueryCosts {

	/** The assumed length of a list, if neither an argument nor the schema sets one. */
	static final long LIST_SIZE = 10;

	private static final long MUTATION = 10;

	private static final List<String> SLICES = List.of("first", "last");

	private static final String INTROSPECTION = "__";

	private final GraphQLSchema schema;

	private final Map<GraphQLFieldDefinition, FieldCost> definitions = new HashMap<>();

	/**
	 * Read the directives of a schema.
	 * @param schema the schema
	 * @throws IllegalStateException if a weight or a length is invalid
	 */
	QueryCosts(GraphQLSchema schema) {
		this.schema = schema;
		for (GraphQLNamedType type : schema.getAllTypesAsList()) {
			if (type instanceof GraphQLFieldsContainer container) {
				container.getFieldDefinitions()
					.forEach((field) -> this.definitions.put(field,
							FieldCost.of(type.getName() + "." + field.getName(), field)));
			}
		}
	}

	/**
	 * Find the costs of an operation.
	 * @param operation the operation, with its fragments and variables resolved
	 * @return the operation in the form that rules evaluate
	 */
	Operation of(ExecutableNormalizedOperation operation) {
		OperationType type = OperationType.valueOf(operation.getOperation().name());
		List<ExecutableNormalizedField> fields = operation.getTopLevelFields();
		List<Operation.RootField> roots = new ArrayList<>(fields.size());
		for (ExecutableNormalizedField field : fields) {
			roots.add(new Operation.RootField(field.getFieldName(), cost(type, field)));
		}
		return new Operation(type, roots);
	}

	// Introspection has a fixed cost, because graphql-java limits it.
	private long cost(OperationType type, ExecutableNormalizedField field) {
		if (field.getFieldName().startsWith(INTROSPECTION)) {
			return (field.hasChildren()) ? 1 : 0;
		}
		return cost(field, (type == OperationType.MUTATION) ? MUTATION : 1, Slice.NONE);
	}

	// A field below an interface has a definition for each type that implements it. The
	// cost of the children is computed once for all definitions, because a computation
	// for each would be exponential in the depth of the query.
	private long cost(ExecutableNormalizedField field, long weight, Slice above) {
		long own = 0;
		long times = 0;
		Slice below = null;
		for (GraphQLFieldDefinition definition : field.getFieldDefinitions(this.schema)) {
			FieldCost known = this.definitions.getOrDefault(definition, FieldCost.PLAIN);
			own = Math.max(own, (known.weight >= 0) ? known.weight : weight);
			long slice = known.slice(field);
			long listed = (slice >= 0) ? slice : above.sizeOf(field.getFieldName());
			times = Math.max(times, (known.list) ? listed : 1);
			Slice sized = (known.list || slice < 0) ? Slice.NONE : new Slice(slice, known.sizedFields);
			below = (below != null) ? below.or(sized) : sized;
		}
		if (below == null || !field.hasChildren()) {
			return own;
		}
		long children = 0;
		for (ExecutableNormalizedField child : field.getChildren()) {
			children = Math.min(Operation.MAX_COST, children + cost(child, (child.hasChildren()) ? 1 : 0, below));
		}
		return Math.min(Operation.MAX_COST, own + multiplied(children, times));
	}

	private static long multiplied(long cost, long times) {
		return (cost == 0 || times <= Operation.MAX_COST / cost) ? cost * times : Operation.MAX_COST;
	}

	/**
	 * The number of elements that a field which is not a list itself, such as a
	 * connection, selects from the lists below it.
	 *
	 * @param size the number; −1 if the field does not set it
	 * @param fields the lists; empty for all
	 */
	private record Slice(long size, List<String> fields) {

		static final Slice NONE = new Slice(-1, List.of());

		long sizeOf(String list) {
			return (this.size >= 0 && (this.fields.isEmpty() || this.fields.contains(list))) ? this.size : LIST_SIZE;
		}

		// Each list has at least the larger of the two sizes.
		Slice or(Slice other) {
			if (equals(other)) {
				return this;
			}
			long larger = Math.max(LIST_SIZE, Math.max(this.size, other.size));
			boolean all = this.size >= 0 && this.fields.isEmpty() || other.size >= 0 && other.fields.isEmpty();
			return new Slice(larger,
					(all) ? List.of() : Stream.concat(this.fields.stream(), other.fields.stream()).distinct().toList());
		}

	}

	/**
	 * The directives of a schema about the cost of a field.
	 *
	 * @param weight its weight; −1 if it has none
	 * @param list whether it is a list
	 * @param assumedSize the assumed length of the list; −1 if there is none
	 * @param slices the arguments that set its length
	 * @param sizedFields the lists below to which the arguments apply
	 */
	private record FieldCost(long weight, boolean list, long assumedSize, List<String> slices,
			List<String> sizedFields) {

		private static final Pattern NUMBER = Pattern.compile("\\d{1,15}(\\.\\d{1,15})?");

		/** A field that is not written in the schema, such as {@code __typename}. */
		static final FieldCost PLAIN = new FieldCost(-1, false, -1, SLICES, List.of());

		static FieldCost of(String name, GraphQLFieldDefinition definition) {
			boolean list = GraphQLTypeUtil.isList(GraphQLTypeUtil.unwrapNonNull(definition.getType()));
			GraphQLAppliedDirective size = definition.getAppliedDirective("listSize");
			List<String> slices = texts(value(size, "slicingArguments"));
			return new FieldCost(number("@cost of " + name, value(definition.getAppliedDirective("cost"), "weight")),
					list, number("@listSize of " + name, value(size, "assumedSize")),
					(slices.isEmpty()) ? SLICES : slices, texts(value(size, "sizedFields")));
		}

		private static @Nullable Object value(@Nullable GraphQLAppliedDirective directive, String name) {
			GraphQLAppliedDirectiveArgument argument = (directive != null) ? directive.getArgument(name) : null;
			return (argument != null) ? argument.getValue() : null;
		}

		// In the specification, weights are texts.
		private static long number(String location, @Nullable Object value) {
			if (value == null) {
				return -1;
			}
			if (!NUMBER.matcher(value.toString()).matches()) {
				throw new IllegalStateException(
						location + ": '" + value + "' is not a weight; write a number of at least 0");
			}
			return saturated(Math.ceil(Double.parseDouble(value.toString())));
		}

		private static long saturated(double number) {
			return (long) Math.min(Operation.MAX_COST, number);
		}

		private static List<String> texts(@Nullable Object value) {
			return (value instanceof Collection<?> all) ? all.stream().map(String::valueOf).toList() : List.of();
		}

		// Negative numbers are ignored like null, because an application may treat them
		// as unlimited.
		long slice(ExecutableNormalizedField field) {
			long largest = -1;
			Map<String, Object> arguments = field.getResolvedArguments();
			for (String slice : this.slices) {
				if (arguments.get(slice) instanceof Number number) {
					largest = Math.max(largest, saturated(number.doubleValue()));
				}
			}
			return (largest >= 0) ? largest : this.assumedSize;
		}

	}

}
