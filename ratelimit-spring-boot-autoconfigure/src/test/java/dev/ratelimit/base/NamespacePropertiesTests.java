package dev.ratelimit.base;

import java.util.List;
import java.util.Map;

import dev.ratelimit.rule.InvalidRuleException;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class NamespacePropertiesTests {

	@Test
	void aRuleBelongsToTheLongestPrefix() {
		Namespaces namespaces = NamespaceProperties
			.all(Map.of("search-team", team("search-"), "inner", team("search-login")));
		assertThat(namespaces.owner("search-web")).hasValue("search-team");
		assertThat(namespaces.owner("search-login")).hasValue("inner");
		assertThat(namespaces.owner("searching")).isEmpty();
	}

	@Test
	void invalidPropertiesAreRejected() {
		rejected(Map.of("a", team("Search")), "ratelimit.namespaces.a.prefix = 'Search'");
		rejected(Map.of("a", team("")), "ratelimit.namespaces.a.prefix");
		rejected(Map.of("a", team("search-"), "b", team("search-")), "another team has this prefix");
		rejected(Map.of("a", new NamespaceProperties("a-", List.of(), List.of())),
				"ratelimit.namespaces.a.authorities");
	}

	private static NamespaceProperties team(String prefix) {
		return new NamespaceProperties(prefix, List.of(), List.of("TEAM"));
	}

	private static void rejected(Map<String, NamespaceProperties> teams, String message) {
		assertThatExceptionOfType(InvalidRuleException.class).isThrownBy(() -> NamespaceProperties.all(teams))
			.withMessageContaining(message);
	}

}
