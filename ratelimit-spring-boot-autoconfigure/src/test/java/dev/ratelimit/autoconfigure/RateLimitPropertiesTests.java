package dev.ratelimit.autoconfigure;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;

import dev.ratelimit.FailurePolicy;
import dev.ratelimit.Limit;
import dev.ratelimit.MissingKeyPolicy;
import dev.ratelimit.Phase;
import dev.ratelimit.RateLimited;
import dev.ratelimit.RuleMode;
import dev.ratelimit.engine.Editions;
import dev.ratelimit.rule.Cost;
import dev.ratelimit.rule.Origin;
import dev.ratelimit.rule.Rule;
import dev.ratelimit.test.Limits;
import org.junit.jupiter.api.Test;

import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

class RateLimitPropertiesTests {

	@Test
	void wholeRuleBinds() {
		Rule rule = rule("search", """
				ratelimit:
				  store: auto
				  deadline: 50ms
				  defaults: { failure: open }
				  rules:
				    search:
				      paths: /api/search/**
				      except-paths: /api/search/health
				      methods: [get, POST]
				      key: [ip, "header:X-Api-Key"]
				      limit: 100/min
				      burst: 150
				      algorithm: token-bucket
				      cost: 5
				      idempotency: true
				      failure: open
				      mode: shadow
				      enforce: 12.5%
				      locked: true
				      on-missing-key: skip
				      phase: late
				      status: 420
				""");
		assertThat(rule.origin().layers()).extracting(Origin.Layer::kind, Origin.Layer::location)
			.containsExactly(tuple(Origin.Kind.PROPERTY, "ratelimit.rules.search"));
		assertThat(rule.reaction().ramp()).hasToString("12.5%");
		assertThat(rule.locked()).isTrue();
		assertThat(rule.match()).isEqualTo(
				new Rule.Match(List.of("/api/search/**"), List.of("/api/search/health"), List.of("GET", "POST")));
		assertThat(rule.key().parts()).extracting(Object::toString).containsExactly("ip", "header:X-Api-Key");
		assertThat(rule.limits()).containsExactly(new Limit("token-bucket", 100, Duration.ofMinutes(1), 150));
		assertThat(rule.numbers().cost()).isEqualTo(Cost.fixed(5));
		assertThat(rule.reaction().idempotency()).isTrue();
		assertThat(rule.reaction().mode()).isEqualTo(RuleMode.SHADOW);
		assertThat(rule.key().onMissing()).contains(MissingKeyPolicy.SKIP);
		assertThat(rule.reaction().phase()).isEqualTo(Phase.LATE);
		assertThat(rule.reaction().status()).hasValue(420);
	}

	@Test
	void limitsBindAsTexts() {
		assertThat(limits("limits: [10/s, 100/min, 1000/h]")).containsExactly("10/s +10", "100/min +100",
				"1000/h +1000");
	}

	@Test
	void limitsBindAsOneTextWithCommas() {
		assertThat(limits("limits: 10/s, 100/min")).containsExactly("10/s +10", "100/min +100");
	}

	@Test
	void limitsBindAsObjects() {
		assertThat(limits("limits: [{ limit: 10/s, burst: 20 }, { limit: 100/min, algorithm: token-bucket }]"))
			.containsExactly("10/s +20", "100/min +100");
	}

	@Test
	void limitsBindAsTextsAndObjectsTogether() {
		assertThat(limits("limits: [10/s, { limit: 100/min, burst: 150 }]")).containsExactly("10/s +10",
				"100/min +150");
	}

	@Test
	void optionsOfAlgorithmsBindOnLimitsAndOnRules() {
		List<Limit> limits = rule("all",
				yaml("limits: [{ limit: 10/s, credit: 5 }, { limit: 20, algorithm: concurrency, "
						+ "lease: 5s }, { limit: 10/month, algorithm: fixed-window, zone: Europe/Paris }]"))
			.limits();
		assertThat(limits.get(0).credit()).isEqualTo(5);
		assertThat(limits.get(1)).isEqualTo(Limits.concurrent(20, Duration.ofSeconds(5)));
		assertThat(limits.get(2).calendar())
			.hasValueSatisfying((calendar) -> assertThat(calendar.zone()).isEqualTo(ZoneId.of("Europe/Paris")));
		assertThat(rule("all", yaml("limit: 10/s", "credit: 5")).limits().get(0).credit()).isEqualTo(5);
		assertThat(rule("all", yaml("limit: 7", "algorithm: concurrency", "lease: 9s")).limits())
			.containsExactly(Limits.concurrent(7, Duration.ofSeconds(9)));
		assertThat(rule("all", yaml("limit: 7/d", "algorithm: fixed-window", "zone: UTC")).limits().get(0).calendar())
			.isPresent();
	}

	@Test
	void offWithoutQuotesIsAMode() {
		assertThat(rule("all", yaml("limit: 1/s", "mode: off")).reaction().mode()).isEqualTo(RuleMode.OFF);
	}

	@Test
	void bracesInAScalarPathStayTogether() {
		assertThat(rule("all", yaml("limit: 1/s", "paths: '/{a:[0-9]{1,3}}/x,/b/{c:[a-z]{1,2}},/d'")).match().paths())
			.containsExactly("/{a:[0-9]{1,3}}/x", "/b/{c:[a-z]{1,2}}", "/d");
	}

	@Test
	void defaultsAreInheritedAndOverridden() {
		String yaml = """
				ratelimit:
				  defaults: { key: ip, failure: closed, mode: shadow, on-missing-key: deny, status: 420 }
				  rules:
				    heir: { paths: /**, limit: 1/s }
				    own: { paths: /**, limit: 1/s, key: global, failure: open, mode: enforce, on-missing-key: skip, status: 430 }
				""";
		assertThat(rule("heir", yaml)).satisfies((rule) -> {
			assertThat(rule.key().parts()).extracting(Object::toString).containsExactly("ip");
			assertThat(rule.reaction().failure()).isEqualTo(FailurePolicy.CLOSED);
			assertThat(rule.reaction().mode()).isEqualTo(RuleMode.SHADOW);
			assertThat(rule.key().onMissing()).contains(MissingKeyPolicy.DENY);
			assertThat(rule.reaction().status()).hasValue(420);
		});
		assertThat(rule("own", yaml)).satisfies((rule) -> {
			assertThat(rule.key().parts()).extracting(Object::toString).containsExactly("global");
			assertThat(rule.reaction().failure()).isEqualTo(FailurePolicy.OPEN);
			assertThat(rule.reaction().mode()).isEqualTo(RuleMode.ENFORCE);
			assertThat(rule.key().onMissing()).contains(MissingKeyPolicy.SKIP);
			assertThat(rule.reaction().status()).hasValue(430);
		});
	}

	@Test
	void yamlOverridesTheNumbersOfAnAnnotation() {
		Rule plain = rule("pay", "");
		assertThat(plain.origin().layers()).extracting(Origin.Layer::kind).containsExactly(Origin.Kind.ANNOTATION);
		assertThat(plain.limits()).extracting(Limit::toString).containsExactly("5/min");
		Rule tuned = rule("pay", "ratelimit.rules.pay.limit: 50/min");
		assertThat(tuned.origin().layers()).extracting(Origin.Layer::kind)
			.containsExactly(Origin.Kind.ANNOTATION, Origin.Kind.PROPERTY);
		assertThat(tuned.limits()).extracting(Limit::toString).containsExactly("50/min");
		assertThat(tuned.limits()).extracting(Limit::burst).containsExactly(50L);
		assertThat(tuned.reaction().failure()).isEqualTo(FailurePolicy.CLOSED);
	}

	@Test
	void everythingElseHasItsDefault() {
		runner("").run((context) -> {
			RateLimitProperties properties = context.getBean(RateLimitProperties.class);
			assertThat(properties.enabled()).isTrue();
			assertThat(properties.store()).isEqualTo(RateLimitProperties.StoreType.AUTO);
			assertThat(properties.deadline()).isEqualTo(Duration.ofMillis(50));
			assertThat(properties.idempotency().methods()).containsExactly("POST", "PATCH");
			assertThat(properties.idempotency().ttl()).isEqualTo(Duration.ofHours(24));
			assertThat(properties.idempotency().syntax()).isEqualTo(IdempotencyProperties.Syntax.LENIENT);
			assertThat(properties.circuit().probeInterval()).isEqualTo(Duration.ofSeconds(1));
		});
	}

	private static String yaml(String... lines) {
		String all = String.join("\n      ", lines);
		String paths = (all.contains("paths:")) ? "" : "paths: /**\n      ";
		return "ratelimit:\n  rules:\n    all:\n      " + paths + all;
	}

	private static List<String> limits(String line) {
		return rule("all", yaml(line)).limits().stream().map((limit) -> limit + " +" + limit.burst()).toList();
	}

	private static Rule rule(String id, String yaml) {
		List<Rule> found = new ArrayList<>();
		runner(yaml).run((context) -> found.add(context.getBean(Editions.class).current().rules().rules().get(id)));
		assertThat(found).singleElement().isNotNull();
		return found.get(0);
	}

	private static WebApplicationContextRunner runner(String yaml) {
		return EnableAuto.fewer().withUserConfiguration(Payments.class).withInitializer((context) -> {
			try {
				new YamlPropertySourceLoader()
					.load("test", new ByteArrayResource(yaml.getBytes(StandardCharsets.UTF_8)))
					.forEach(context.getEnvironment().getPropertySources()::addFirst);
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		});
	}

	@RestController
	static class Payments {

		@GetMapping("/pay")
		@RateLimited(id = "pay", value = "5/min", failure = FailurePolicy.CLOSED)
		String pay() {
			return "";
		}

	}

}
