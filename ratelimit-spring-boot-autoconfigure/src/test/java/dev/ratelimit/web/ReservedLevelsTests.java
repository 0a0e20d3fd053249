package dev.ratelimit.web;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import dev.ratelimit.Criticality.Level;
import dev.ratelimit.Phase;
import dev.ratelimit.address.IpNetworks;
import dev.ratelimit.base.Authorities;
import dev.ratelimit.base.Finding;
import dev.ratelimit.base.FindingCode;
import dev.ratelimit.engine.RateLimitEngine;
import dev.ratelimit.gate.PartitionKeys;
import dev.ratelimit.rule.InvalidRuleException;
import dev.ratelimit.rule.Reserve;
import dev.ratelimit.rule.RuleBuilder;
import dev.ratelimit.rule.RuleOptions;
import dev.ratelimit.store.memory.MemoryLimitStore;
import dev.ratelimit.test.Engines;
import org.junit.jupiter.api.Test;

import org.springframework.web.util.pattern.PathPatternParser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests rules that reserve slots, and the possible levels of requests.
 */
class ReservedLevelsTests {

	private final RateLimitEngine engine = Engines.of(new MemoryLimitStore(1000, () -> 60_000_000_000L));

	private static LevelRule classified(String authority, Level level) {
		return new LevelRule(List.of(PathPatternParser.defaultInstance.parse("/pay")), authority, level, false);
	}

	private static RuleBuilder slots() {
		return RuleBuilder.rule("slots")
			.paths("/**")
			.key("ip")
			.limits("10")
			.algorithm("concurrency")
			.with(RuleOptions.RESERVE, Reserve.parse(Map.of("critical", "20%", "high", "10%", "normal", "10%")));
	}

	private RequestGate gate(LevelRule... rules) {
		Levels levels = new Levels("", IpNetworks.NONE, List.of(rules), Authorities.NONE, new LevelHeaderCounts());
		RequestGate gate = new RequestGate(this.engine,
				new GateSettings(Resolvers.NONE, Callers.EQUAL, new IdempotencyKeys(Set.of(), false),
						ManagementPaths.NONE, true, RequestObserver.NONE, PartitionKeys.NONE, levels, List.of()));
		gate.bind(HandlerRules.NONE, PathPatternParser.defaultInstance);
		return gate;
	}

	private Phase phase(RequestGate gate) {
		GateRules rules = gate.rules(this.engine.editions().current());
		return Optional.ofNullable(rules.rules().byId().get("slots")).orElseThrow().phase();
	}

	@Test
	void levelsByAuthorityAreKnownAfterAuthentication() {
		RequestGate gate = gate(classified("ROLE_VIP", Level.CRITICAL));
		this.engine.editions().adopt(List.of(slots().build()));
		assertThat(phase(gate)).isEqualTo(Phase.LATE);
		assertThatExceptionOfType(InvalidRuleException.class)
			.isThrownBy(() -> this.engine.editions().adopt(List.of(slots().phase(Phase.EARLY).build())))
			.withMessageContaining("'reserve'");
	}

	@Test
	void otherLevelsAreKnownBefore() {
		RequestGate gate = gate(classified("", Level.CRITICAL));
		this.engine.editions().adopt(List.of(slots().build()));
		assertThat(phase(gate)).isEqualTo(Phase.EARLY);
	}

	@Test
	void slotsThatNobodyCanTakeAreFound() {
		RequestGate gate = gate(classified("", Level.HIGH));
		this.engine.editions().adopt(List.of(slots().build()));
		assertThat(new ReserveCheck(gate, this.engine.editions()).findings()).singleElement()
			.returns(FindingCode.UNUSED_RESERVE, Finding::code)
			.satisfies((finding) -> assertThat(finding.detail()).contains("'critical'"));
		assertThat(new ReserveCheck(gate(classified("", Level.CRITICAL)), this.engine.editions()).findings()).isEmpty();
	}

}
