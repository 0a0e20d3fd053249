package dev.ratelimit.store;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import dev.ratelimit.Limit;
import dev.ratelimit.algorithm.Algorithms;
import dev.ratelimit.store.JointKey.Member;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests which limits of a rule share a key.
 */
class JointKeyTests {

	private static final Limit HOUR = limit("token-bucket", 1000, Duration.ofHours(1));

	private static Limit limit(String algorithm, long quantity, Duration period) {
		return new Limit(algorithm, quantity, period, quantity);
	}

	@Test
	void aLimitAloneHasItsOwnKey() {
		assertThat(Demands.families("rule", HOUR)).allMatch((family) -> family.joint().isEmpty());
	}

	@Test
	void severalLimitsHaveOneKeyWhoseRecordsKeepTheirTagsInAnyOrder() {
		Limit gcra = limit("gcra", 10, Duration.ofSeconds(1));
		List<BucketFamily> families = Demands.families("rule", HOUR, gcra);
		JointKey key = families.get(0).joint().orElseThrow();
		assertThat(key.label()).isEqualTo("rule.*");
		assertThat(families.get(1).joint()).contains(key);
		assertThat(key.members()).extracting(Member::label)
			.isEqualTo(families.stream().map(BucketFamily::label).toList());
		assertThat(key.indexOf(families.get(1).label())).isOne();
		assertThat(key.indexOf("other")).isEqualTo(-1);
		JointKey other = Demands.families("rule", gcra, HOUR).get(0).joint().orElseThrow();
		assertThat(Set.copyOf(other.members())).isEqualTo(Set.copyOf(key.members()));
	}

	@Test
	void theBurstIsNoPartOfTheTag() {
		JointKey one = Demands.families("rule", HOUR, limit("gcra", 10, Duration.ofSeconds(1)))
			.get(0)
			.joint()
			.orElseThrow();
		Limit more = new Limit("token-bucket", 1000, Duration.ofHours(1), 5000);
		JointKey other = Demands.families("rule", more, limit("gcra", 10, Duration.ofSeconds(1)))
			.get(0)
			.joint()
			.orElseThrow();
		assertThat(other).isEqualTo(one);
	}

	@Test
	void limitWithVariableStateHasItsOwnKey() {
		for (String algorithm : Algorithms.ids()) {
			boolean fixed = !Set.of("sliding-log", "concurrency").contains(algorithm);
			List<BucketFamily> families = Demands.families("rule", HOUR, limit("gcra", 10, Duration.ofSeconds(1)),
					limit(algorithm, 5, Duration.ofMinutes(1)));
			assertThat(families.get(2).joint().isPresent()).as(algorithm).isEqualTo(fixed);
			assertThat(families.get(0).joint()).isPresent();
		}
	}

	@Test
	void ofLimitsWithOneTagTheLatterHasItsOwnKey() {
		Map<Integer, BucketFamily> seen = new HashMap<>();
		List<BucketFamily> alike = IntStream.range(1, 100_000)
			.mapToObj((quantity) -> Demands.family("rule",
					limit("fixed-window", 10, Duration.ofMillis(1000L * quantity + 1))))
			.map((family) -> List.of(family,
					seen.merge(JointFamilies.member(family).tag(), family, (first, second) -> first)))
			.filter((pair) -> pair.get(0) != pair.get(1))
			.findFirst()
			.orElseThrow();
		List<BucketFamily> joined = JointFamilies
			.join(List.of(alike.get(1), alike.get(0), Demands.family("rule", HOUR)));
		assertThat(joined.stream().map((family) -> family.joint().isPresent()).collect(Collectors.toList()))
			.containsExactly(true, false, true);
	}

	@Test
	void aLimitThatGetsCompanyIsInPlaceOfItselfAlone() {
		BucketFamily alone = Demands.family("rule", HOUR);
		BucketFamily joint = Demands.families("rule", HOUR, limit("gcra", 10, Duration.ofSeconds(1))).get(0);
		assertThat(joint.replacing(alone, new Activation()).formers()).hasSize(1);
		assertThat(joint.replacing(joint, new Activation()).formers()).isEmpty();
		assertThat(alone.replacing(joint, new Activation()).formers()).hasSize(1);
	}

}
