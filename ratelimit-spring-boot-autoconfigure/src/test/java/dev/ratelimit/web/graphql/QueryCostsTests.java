package dev.ratelimit.web.graphql;

import java.math.BigInteger;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import dev.ratelimit.rule.Cost;
import dev.ratelimit.rule.GraphQlFields;
import graphql.GraphQLContext;
import graphql.execution.AbortExecutionException;
import graphql.execution.CoercedVariables;
import graphql.execution.RawVariables;
import graphql.language.Document;
import graphql.language.IntValue;
import graphql.language.Value;
import graphql.normalized.ExecutableNormalizedOperation;
import graphql.normalized.ExecutableNormalizedOperationFactory;
import graphql.parser.Parser;
import graphql.schema.Coercing;
import graphql.schema.GraphQLScalarType;
import graphql.schema.GraphQLSchema;
import graphql.schema.idl.MockedWiringFactory;
import graphql.schema.idl.RuntimeWiring;
import graphql.schema.idl.ScalarWiringEnvironment;
import graphql.schema.idl.SchemaGenerator;
import graphql.schema.idl.SchemaParser;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

class QueryCostsTests {

	private static final GraphQLSchema SCHEMA = schema(
			"""
					directive @cost(weight: String!) on FIELD_DEFINITION
					directive @listSize(assumedSize: Int, slicingArguments: [String!], sizedFields: [String!]) on FIELD_DEFINITION
					scalar Big
					type Query {
					  many(first: Big): [User!]!
					  user: User
					  users(first: Int, last: Int): [User!]!
					  some(first: Int = 4): [User]
					  page(limit: Int): [User!] @listSize(slicingArguments: ["limit"], assumedSize: 50)
					  search(first: Int): Connection!
					  sized(first: Int): Connection @listSize(slicingArguments: ["first"], sizedFields: ["edges"])
					  hits: [Hit!]!
					  hero: Character
					  count: Int!
					  report: String! @cost(weight: "7.5")
					  free: User @cost(weight: "0")
					}
					type Mutation { order: User! login: Boolean! cheap: Boolean! @cost(weight: "2") }
					type Subscription { prices: Int! }
					interface Hit { text: String! owner: User }
					type Post implements Hit { text: String! @cost(weight: "3") owner: User }
					type Note implements Hit { text: String! owner: User @cost(weight: "5") }
					interface Character { friend: Character friends(first: Int): [Character!] pages(first: Int): Pages name: String }
					type Human implements Character { friend: Character friends(first: Int): [Character!] pages(first: Int): Pages name: String }
					type Droid implements Character { friend: Character @cost(weight: "2")
					  friends(first: Int): [Character!] @listSize(assumedSize: 30) name: String
					  pages(first: Int): Pages @listSize(slicingArguments: ["first"], sizedFields: ["first"]) }
					type Pages { first: [Character!] second: [Character!] }
					type User { name: String! friends(first: Int): [User!]! friend: User }
					type Connection { edges: [Edge!]! nodes: [User!]! total: Int! }
					type Edge { node: User! }
					""");

	private static final int TIMED = 20_000;

	private final QueryCosts costs = new QueryCosts(SCHEMA);

	private static GraphQLSchema schema(String text) {
		RuntimeWiring wiring = RuntimeWiring.newRuntimeWiring().wiringFactory(new MockedWiringFactory() {

			@Override
			public boolean providesScalar(ScalarWiringEnvironment environment) {
				return false;
			}

		}).scalar(GraphQLScalarType.newScalar().name("Big").coercing(new BigCoercing()).build()).build();
		return new SchemaGenerator().makeExecutableSchema(new SchemaParser().parse(text), wiring);
	}

	@Test
	void theTypesOfAnInterfaceDoNotMultiplyTheWork() {
		int depth = 60;
		String query = "{ hero { ".concat("friend { ".repeat(depth)).concat("name ").concat("} ".repeat(depth + 2));
		assertThat(cost(query)).isEqualTo(1 + 2 * depth);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			{ count }                                            | 1
			{ report }                                           | 8
			{ user { name } }                                    | 1
			{ free { name friend { name } } }                    | 1
			{ user { friend { friend { name } } } }              | 3
			{ users { name } }                                   | 1
			{ users { friend { name } } }                        | 11
			{ users(first: 3) { friend { name } } }              | 4
			{ users(first: 3, last: 5) { friend { name } } }     | 6
			{ users(first: 0) { friend { name } } }              | 1
			{ users(first: -1) { friend { name } } }             | 11
			{ users(first: null) { friend { name } } }           | 11
			{ some { friend { name } } }                         | 5
			{ page { friend { name } } }                         | 51
			{ page(limit: 2) { friend { name } } }               | 3
			{ search { edges { node { name } } } }               | 12
			{ search(first: 30) { edges { node { name } } } }    | 32
			{ search(first: 30) { nodes { friend { name } } } }  | 32
			{ sized(first: 30) { edges { node { name } } } }     | 32
			{ sized(first: 30) { nodes { friend { name } } } }   | 12
			{ search(first: 30) { total } }                      | 1
			{ hero { friend { name } } }                         | 3
			{ hero { friends { friend { name } } } }             | 62
			{ hero { friends(first: 2) { friend { name } } } }   | 6
			{ hero { pages(first: 30) { first { friend { name } } } } }  | 63
			{ hero { pages(first: 30) { second { friend { name } } } } } | 63
			{ hero { pages(first: 3) { second { friend { name } } } } }  | 23
			{ users(first: 20) { friends(first: 20) { friend { name } } } } | 421
			{ hits { text } }                                    | 31
			{ hits { owner { name } } }                          | 51
			{ hits { ... on Post { owner { name } } } }          | 11
			{ a: count b: count }                                | 2
			{ __typename }                                       | 0
			{ __schema { types { fields { name } } } }           | 1
			mutation { login }                                   | 10
			mutation { order { friend { name } } }               | 11
			mutation { cheap }                                   | 2
			subscription { prices }                              | 1
			""")
	void aFieldCostsItsWeightAsOftenAsListsAreLong(String query, long cost) {
		assertThat(cost(query)).isEqualTo(cost);
	}

	@Test
	void hugeListsDoNotOverflow() {
		String query = IntStream.range(0, 20)
			.mapToObj((level) -> "friends(first: 2147483647) { ")
			.collect(Collectors.joining("", "{ user { ", "name " + "} ".repeat(22)));
		assertThat(cost(query)).isEqualTo(Operation.MAX_COST);
	}

	@Test
	void aNumberOfAnySizeIsLarge() {
		BigInteger huge = BigInteger.ONE.shiftLeft(64);
		assertThat(operation("query($n: Big) { many(first: $n) { friend { name } } }", Map.of("n", huge)).fields())
			.singleElement()
			.extracting(Operation.RootField::cost)
			.isEqualTo(Operation.MAX_COST);
	}

	@ParameterizedTest
	@ValueSource(strings = { "much", "NaN", "Infinity", "-1" })
	void weightsAreCheckedAtStartup(String weight) {
		GraphQLSchema schema = schema("directive @cost(weight: String!) on FIELD_DEFINITION"
				+ " type Query { report: String! @cost(weight: \"" + weight + "\") }");
		assertThatIllegalStateException().isThrownBy(() -> new QueryCosts(schema))
			.withMessage("@cost of Query.report: '" + weight + "' is not a weight; write a number of at least 0");
	}

	@Test
	void aRuleChargesTheFieldsThatItNames() {
		Operation operation = operation("{ count report again: report user { name } }", Map.of());
		GraphQlFields fields = GraphQlFields.parse(List.of("Query.report", "Query.user"));
		GraphQlFields report = GraphQlFields.parse(List.of("Query.report"));
		assertThat(operation.weight(fields, List.of(), Cost.Kind.GRAPHQL)).isEqualTo(17);
		assertThat(operation.weight(fields, List.of(), Cost.Kind.FIXED)).isEqualTo(3);
		assertThat(operation.weight(fields, List.of(report), Cost.Kind.FIXED)).isEqualTo(1);
		assertThat(operation.weight(report, List.of(fields), Cost.Kind.FIXED)).isEqualTo(-1);
		assertThat(operation.weight(GraphQlFields.parse(List.of("Mutation.*")), List.of(), Cost.Kind.FIXED))
			.isEqualTo(-1);
	}

	@Test
	void variablesAreThoseOfTheRequest() {
		String query = "query($n: Int = 7) { users(first: $n) { friend { name } } }";
		assertThat(cost(query)).isEqualTo(8);
		assertThat(operation(query, Map.of("n", 2)).fields()).singleElement()
			.extracting(Operation.RootField::cost)
			.isEqualTo(3L);
	}

	/**
	 * Measures the median of many runs. The normalization by graphql-java is not
	 * included.
	 */
	@Test
	@Tag("long")
	@Tag("scenario")
	void theCostOfFiftyFieldsTakesThirtyMicroseconds() {
		Document document = Parser.parse(IntStream.range(0, 10)
			.mapToObj((i) -> "u" + i + ": users(first: 3) { name friend { friend { name } } }")
			.collect(Collectors.joining(" ", "{ ", " }")));
		RawVariables none = RawVariables.emptyVariables();
		long[] normalizing = new long[TIMED];
		long[] nanos = new long[TIMED];
		long cost = 0;
		for (int i = 0; i < 3 * TIMED; i++) {
			long startNanos = System.nanoTime();
			ExecutableNormalizedOperation operation = ExecutableNormalizedOperationFactory
				.createExecutableNormalizedOperationWithRawVariables(SCHEMA, document, null, none);
			long normalNanos = System.nanoTime();
			cost += this.costs.of(operation).fields().size();
			normalizing[i % TIMED] = normalNanos - startNanos;
			nanos[i % TIMED] = System.nanoTime() - normalNanos;
			if (i == 0) {
				assertThat(operation.getOperationFieldCount()).isEqualTo(50);
			}
		}
		assertThat(cost).isEqualTo(3L * TIMED * 10);
		double micros = median(nanos);
		System.out.printf(Locale.ROOT, "50 fields: %.1f µs, after %.1f µs in which graphql-java normalized them%n",
				micros, median(normalizing));
		assertThat(micros).isLessThanOrEqualTo(30);
	}

	/**
	 * Measures the median of many runs for fragments that would expand to 65,536 fields.
	 * Parsing and validation are not included.
	 */
	@Test
	@Tag("long")
	@Tag("scenario")
	void fragmentsThatMultiplyAreNormalizedForFiftyMillisecondsAtMost() {
		String fragments = IntStream.range(0, 16)
			.mapToObj((level) -> "fragment f%1$d on User { a: friend { ...f%2$d } b: friend { ...f%2$d } }"
				.formatted(level, level + 1))
			.collect(Collectors.joining(" "));
		Document document = Parser.parse("{ user { ...f0 } } " + fragments + " fragment f16 on User { name }");
		ExecutableNormalizedOperationFactory.Options options = ExecutableNormalizedOperationFactory.Options
			.defaultOptions()
			.maxFieldsCount(5_000);
		long[] nanos = new long[100];
		for (int i = 0; i < 2 * nanos.length; i++) {
			long startNanos = System.nanoTime();
			assertThatExceptionOfType(AbortExecutionException.class).isThrownBy(
					() -> ExecutableNormalizedOperationFactory.createExecutableNormalizedOperationWithRawVariables(
							SCHEMA, document, null, RawVariables.emptyVariables(), options));
			nanos[i % nanos.length] = System.nanoTime() - startNanos;
		}
		double millis = median(nanos) / 1e3;
		System.out.printf(Locale.ROOT, "Fragments that multiply: %.1f ms%n", millis);
		assertThat(millis).isLessThanOrEqualTo(50);
	}

	private static double median(long[] nanos) {
		Arrays.sort(nanos);
		return nanos[nanos.length / 2] / 1e3;
	}

	private long cost(String query) {
		return operation(query, Map.of()).fields().stream().mapToLong(Operation.RootField::cost).sum();
	}

	private Operation operation(String query, Map<String, Object> variables) {
		return this.costs.of(ExecutableNormalizedOperationFactory.createExecutableNormalizedOperationWithRawVariables(
				SCHEMA, Parser.parse(query), null, RawVariables.of(variables)));
	}

	private static final class BigCoercing implements Coercing<BigInteger, BigInteger> {

		@Override
		public BigInteger parseValue(Object input, GraphQLContext context, Locale locale) {
			return (BigInteger) input;
		}

		@Override
		public Value<?> valueToLiteral(Object input, GraphQLContext context, Locale locale) {
			return new IntValue((BigInteger) input);
		}

		@Override
		public BigInteger parseLiteral(Value<?> input, CoercedVariables variables, GraphQLContext context,
				Locale locale) {
			return ((IntValue) input).getValue();
		}

	}

}
