package dev.ratelimit.base;

import java.util.List;
import java.util.Map;
import java.util.Set;

import dev.ratelimit.rule.Rule;
import dev.ratelimit.rule.RuleBuilder;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class RulePermitTests {

	private final RulePermit team = RulePermit.of(
			new Namespaces(List.of(new Namespace("search", "search-", List.of("/search/**"), List.of("TEAM")))),
			List.of("TEAM"), "WRITE");

	@Test
	void aTeamCannotLimitOperationsThatAreNotWithinItsPaths() {
		Rule rule = RuleBuilder.rule("search-x").limits("1/d").key("global").graphQl("Mutation.*").build();
		assertThatExceptionOfType(EditForbiddenException.class).isThrownBy(() -> edit(Map.of(), rule))
			.withMessageContaining("rule 'search-x' has 'graphql' or 'descriptor', which are not within the paths");
		assertThatCode(() -> edit(Map.of("search-x", rule), rule)).as("those of the application stay")
			.doesNotThrowAnyException();
		assertThatCode(() -> edit(Map.of(), RuleBuilder.rule("search-x").limits("1/d").paths("/search/a").build()))
			.doesNotThrowAnyException();
	}

	private void edit(Map<String, Rule> base, Rule after) {
		this.team.requireEdit(Set.of("search-x"), base, Map.of("search-x", after), Set.of());
	}

}
