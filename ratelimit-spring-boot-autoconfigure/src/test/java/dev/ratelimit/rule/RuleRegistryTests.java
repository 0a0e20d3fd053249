package dev.ratelimit.rule;

import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class RuleRegistryTests {

	private final RuleRegistry registry = new RuleRegistry();

	private final List<String> seen = new ArrayList<>();

	@Test
	void followersGetTheCurrentSetAtOnceAndEverySetInTheOrderInWhichTheyCame() {
		this.registry.follow((set) -> this.seen.add("first " + set.version()));
		this.registry.replace(List.of(rule("b"), rule("a")));
		this.registry.follow((set) -> this.seen.add("second " + set.version()));
		this.registry.replace(List.of());
		assertThat(this.seen).containsExactly("first 0", "first 1", "second 1", "first 2", "second 2");
	}

	@Test
	void currentSetIsInForceWhenFollowersHearOfIt() {
		this.registry.follow((set) -> assertThat(this.registry.current()).isSameAs(set));
		this.registry.replace(List.of(rule("a")));
		assertThat(this.registry.current().rules()).containsOnlyKeys("a");
	}

	@Test
	void rulesAreInTheOrderOfTheirIds() {
		this.registry.replace(List.of(rule("c"), rule("a"), rule("b")));
		assertThat(this.registry.current().rules().keySet()).containsExactly("a", "b", "c");
		assertThat(this.registry.current().version()).isEqualTo(1);
	}

	@Test
	void replacingDropsTheRulesThatWere() {
		this.registry.replace(List.of(rule("a")));
		this.registry.replace(List.of(rule("b")));
		assertThat(this.registry.current().rules()).containsOnlyKeys("b");
	}

	private static Rule rule(String id) {
		return new RuleFactory(RuleDefinition.EMPTY).rule(id, Origin.PROPERTY, id, Definitions.limits("1/s"));
	}

}
