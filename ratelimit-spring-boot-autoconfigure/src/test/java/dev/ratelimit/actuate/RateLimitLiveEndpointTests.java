package dev.ratelimit.actuate;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import dev.ratelimit.RateLimiter;
import dev.ratelimit.engine.Editions;
import dev.ratelimit.http.HttpProbe;
import dev.ratelimit.http.Reply;
import dev.ratelimit.live.EffectiveRules;
import dev.ratelimit.live.MemoryRuleSource;
import dev.ratelimit.live.RuleDocument;
import dev.ratelimit.test.CurlCommand;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.Lifecycle;
import org.springframework.context.support.GenericApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests the endpoint over HTTP with Spring Security.
 */
class RateLimitLiveEndpointTests {

	private static final String PATH = "/actuator/ratelimitlive";

	private static final String RENAMED = "--ratelimit.authorities.write=ROLE_RATELIMIT_WRITE";

	private static final String ANONYMOUS = "--ratelimit.live.anonymous-writes=true";

	/** The applications of all tests, by their properties. */
	private static final Map<List<String>, ConfigurableApplicationContext> applications = new HashMap<>();

	private ConfigurableApplicationContext context = new GenericApplicationContext();

	/** The version of the rules at the start of a test. */
	private long version;

	@AfterAll
	static void close() {
		applications.values().forEach(ConfigurableApplicationContext::close);
		applications.clear();
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void anEditWithoutTheAddressesOfTheEntryWarnsThatTheyAreNotKept(WebApplicationType stack) {
		start(stack);
		post("alice", "/rules/search", limits(false, ", deny: [203.0.113.0/24, 198.51.100.7], allow: [192.0.2.1]"));
		assertThat(post("alice", "/rules/search", limits(true, ", deny: [203.0.113.0/24, 198.51.100.8]")).body())
			.contains("\"warnings\":[\"search: no longer denied: 198.51.100.7\","
					+ "\"search: no longer allowed without a limit: 192.0.2.1\"]");
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void anEditWithoutTheOverridesAndPlansOfTheEntryWarnsThatTheyAreNotKept(WebApplicationType stack) {
		start(stack, "--ratelimit.rules.search.key=user", "--ratelimit.plan=authority:PLAN_");
		post("alice", "/rules/search", limits(false, ", overrides: {acme: 10/min, beta: 20/min}, plans: {free: 3/h}"));
		assertThat(post("alice", "/rules/search", limits(true, "")).body())
			.contains("\"warnings\":[\"search: limits of plans are not kept: free\","
					+ "\"search: overrides are not kept: acme, beta\"]");
		assertThat(post("alice", "/rules/search", limits(true, ", overrides: {acme: 9/min}")).body())
			.contains("search: overrides are not kept: beta");
		assertThat(post("alice", "/rules/search",
				limits(true, ", overrides: {acme: 9/min, beta: 2/min, new: 1/min}, plans: {free: 4/h}"))
			.body()).contains("\"warnings\":[]");
	}

	private String limits(boolean dryRun, String more) {
		long read = (dryRun) ? this.version + 1 : this.version;
		return "{\"dryRun\":" + dryRun + ",\"version\":\"" + read + "\",\"definition\":\"{limit: 300/min" + more
				+ "}\"}";
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void anEditIsWrittenAppliedAndAudited(WebApplicationType stack) {
		start(stack);
		Reply written = post("alice", "/rules/search", edit());
		assertThat(written.statusCode()).isEqualTo(200);
		assertThat(written.body())
			.isEqualTo("{" + version(1) + ",\"changes\":[{\"rule\":\"search\",\"property\":\"limit\","
					+ "\"from\":\"100/min\",\"to\":\"200/min\"}],\"warnings\":[]}");
		awaitLimit("200/min");
		assertThat(get("/rules/search").body()).contains(version(1), "{\\\"limit\\\":\\\"200/min\\\"}",
				"\"user\":\"alice\"", "\"note\":\"launch\"");
		assertThat(get("/rules").body()).contains("\"source\":\"memory\"", "\"search\":{");
		assertThat(get("/versions").body()).contains(version(1), "\"user\":\"alice\"");
		assertThat(get("/versions/" + (this.version + 1)).body())
			.contains("\"rules\":{\"search\":{\"limit\":\"200/min\"}}");
		assertThat(get("/instances").body()).contains(version(1), "\"unknown\":0", "\"notApplied\":[]");
		assertThat(get("").body()).contains("\"source\":\"memory\"", "\"writable\":true", version(1));
		assertThat(this.context.getBean(LiveEndpointApplication.Audit.class).events).singleElement()
			.satisfies((event) -> {
				assertThat(event.getPrincipal()).isEqualTo("alice");
				assertThat(event.getData()).containsEntry("note", "launch")
					.containsEntry("what", "version " + (this.version + 1));
			});
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void aFormerVersionIsWrittenAgainAndAnEntryRemoved(WebApplicationType stack) {
		start(stack);
		post("alice", "/rules/search", edit());
		String first = "/versions/" + (this.version + 1);
		Reply removed = send("DELETE", "alice", "/rules/search?version=" + (this.version + 1), "");
		assertThat(removed.body()).startsWith("{" + version(2) + ",");
		awaitLimit("100/min");
		String back = "{\"version\":\"" + (this.version + 2) + "\",\"note\":\"back\"}";
		assertThat(post("alice", first, back).body()).startsWith("{" + version(3) + ",");
		awaitLimit("200/min");
		assertThat(post("alice", first, back).statusCode()).isEqualTo(409);
		assertThat(post("alice", "/versions/999", "{\"version\":\"" + (this.version + 3) + "\"}").statusCode())
			.isEqualTo(404);
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void userWithoutAuthorityChangesNothing(WebApplicationType stack) {
		start(stack);
		for (String user : List.of("", "eve", "oscar")) {
			for (String path : List.of("/rules/search", "/versions/1")) {
				Reply rejected = post(user, path, edit());
				assertThat(rejected.statusCode()).isEqualTo(403);
				assertThat(rejected.body()).isEqualTo("{\"error\":\"changes need the authority RATELIMIT_WRITE\"}");
			}
			assertThat(send("DELETE", user, "/rules/search?version=0", "").statusCode()).isEqualTo(403);
		}
		assertThat(post("eve", "/switches", "{\"mode\":\"off\"}").body()).isEqualTo(
				"{\"error\":\"switches, bans, releases, and resets need the authority RATELIMIT_OPERATE or RATELIMIT_WRITE\"}");
		assertThat(newest()).isEqualTo(this.version);
		assertThat(get("/switches").body()).contains("\"switches\":[]");
		assertThat(this.context.getBean(LiveEndpointApplication.Audit.class).events).isEmpty();
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void anonymousWritesHaveNoEffectBesideSpringSecurity(WebApplicationType stack) {
		start(stack, RENAMED, ANONYMOUS);
		assertThat(post("", "/rules/search", edit()).statusCode()).isEqualTo(403);
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void authoritiesCanBeRenamed(WebApplicationType stack) {
		start(stack, RENAMED, ANONYMOUS);
		assertThat(post("eve", "/rules/search", edit()).statusCode()).isEqualTo(200);
		assertThat(post("alice", "/rules/search", edit()).statusCode()).isEqualTo(403);
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void rejectedEditNamesTheReason(WebApplicationType stack) {
		start(stack);
		assertThat(post("alice", "/rules/search", "{\"definition\":\"limit: soon\"," + read() + "}"))
			.matches((reply) -> reply.statusCode() == 400)
			.matches((reply) -> reply.body().contains("memory " + (this.version + 1) + ": rules.search.limit"));
		assertThat(post("alice", "/rules/serach", "{\"definition\":\"limit: 1/s\"," + read() + "}").body())
			.contains("there is no rule 'serach'");
		assertThat(post("alice", "/rules/search", "{" + read() + "}").body())
			.isEqualTo("{\"error\":\"'definition' is missing\"}");
		assertThat(post("alice", "/rules/search", "{\"definition\":\"limit: 1/s\"}").body())
			.isEqualTo("{\"error\":\"'version' is missing\"}");
		assertThat(post("alice", "/rules/search", "{\"definition\":\"limit: 1/s\",\"version\":\"x\"}").statusCode())
			.isEqualTo(400);
		assertThat(post("alice", "/rules/search",
				"{\"definition\":\"limit: 1/s # " + "x".repeat(70_000) + "\"," + read() + "}")
			.statusCode()).isEqualTo(413);
		assertThat(post("alice", "/nothing", edit()).statusCode()).isEqualTo(404);
		assertThat(post("oscar", "/nothing", edit()).statusCode()).isEqualTo(404);
		assertThat(post("eve", "/nothing", edit()).statusCode()).isEqualTo(403);
		assertThat(get("/rules/nope").statusCode()).isEqualTo(404);
		post("alice", "/rules/search", edit());
		assertThat(post("alice", "/rules/search", edit())).matches((reply) -> reply.statusCode() == 409)
			.matches((reply) -> reply.body()
				.equals("{\"error\":\"rule 'search' was changed by alice in version %d; you read version %d\"}"
					.formatted(this.version + 1, this.version)));
		this.context.getBean(MemoryRuleSource.class).fail("timeout");
		assertThat(post("alice", "/rules/search", edit())).matches((reply) -> reply.statusCode() == 503)
			.matches(
					(reply) -> reply.body().equals("{\"error\":\"the source of live rules is unavailable: timeout\"}"));
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void whatDoesNotExistIsNamed(WebApplicationType stack) {
		start(stack);
		assertThat(missing(get("/nothing"))).startsWith("there is no part 'nothing'; the parts are [bans, ")
			.contains(" rules, ", " versions]");
		assertThat(missing(post("alice", "/nothing/more", edit()))).startsWith("there is no part 'nothing'; ");
		assertThat(missing(get("/rules/nope"))).isEqualTo("there is nothing to show at 'rules/nope'");
		assertThat(missing(get("/bans/search?subject=user:bob")))
			.isEqualTo("there is nothing to show at 'bans/search' for the subject 'user:bob'");
		assertThat(missing(post("alice", "/versions/999", "{" + read() + "}")))
			.isEqualTo("there is nothing to change at 'versions/999'");
		assertThat(missing(post("alice", "/instances", "{}"))).isEqualTo("there is nothing to change at 'instances'");
		assertThat(missing(send("DELETE", "oscar", "/switches/search?rule=search", "")))
			.isEqualTo("there is nothing to remove at 'switches/search' for the rule 'search'");
		assertThat(missing(send("DELETE", "oscar", "/bans/search/user:bob", "")))
			.isEqualTo("there is nothing to remove at 'bans/search/user:bob'");
		assertThat(missing(get("/rules/" + "x".repeat(100)))).hasSizeLessThan(100);
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void bodiesAreBoundedBeforeTheyAreRead(WebApplicationType stack) {
		start(stack);
		String invalid = "x".repeat(70_000);
		assertThat(post("alice", "/rules/search", invalid)).matches((reply) -> reply.statusCode() == 413)
			.matches((reply) -> reply.body().contains("at most 65536 bytes"));
		Reply encoded = new HttpProbe(port()).send("POST", "/actuator/%72atelimitlive/rules/search", invalid,
				new String[] { "Content-Type", "application/json", "Authorization",
						HttpProbe.basic("alice", "secret") });
		assertThat(encoded.statusCode()).isEqualTo(413);
		assertThat(post("alice", "/rules/search", "x").statusCode()).isEqualTo(400);
		assertThat(newest()).isEqualTo(this.version);
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void otherContentThanJsonIsRejected(WebApplicationType stack) {
		start(stack);
		for (String type : List.of("text/plain", "application/x-www-form-urlencoded")) {
			Reply reply = new HttpProbe(port()).send("POST", PATH + "/rules/search", edit(),
					new String[] { "Content-Type", type, "Authorization", HttpProbe.basic("alice", "secret") });
			assertThat(reply.statusCode()).as(type).isBetween(400, 499);
		}
		assertThat(newest()).isEqualTo(this.version);
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void aDryRunTellsAndChangesNothing(WebApplicationType stack) {
		start(stack);
		Reply told = post("alice", "/rules/search",
				"{\"definition\":\"limit: 200/min\"," + read() + ",\"dryRun\":\"true\"}");
		assertThat(told.body()).startsWith("{\"changes\":[{\"rule\":\"search\"");
		assertThat(newest()).isEqualTo(this.version);
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void switchesAreSetShownAndEnded(WebApplicationType stack) {
		start(stack);
		Reply set = post("oscar", "/switches/search", "{\"mode\":\"shadow\",\"duration\":\"10m\",\"note\":\"load\"}");
		assertThat(set.body()).contains("\"rule\":\"search\"", "\"mode\":\"shadow\"", "\"user\":\"oscar\"",
				"\"scope\":\"instance\"");
		assertThat(get("/switches").body()).contains("\"mode\":\"shadow\"");
		assertThat(health()).contains("\"status\":\"UP\"", "rule 'search' to shadow");
		assertThat(post("alice", "/switches", "{\"mode\":\"off\"}").statusCode()).isEqualTo(200);
		assertThat(health()).contains("\"status\":\"DEGRADED\"");
		assertThat(new HttpProbe(port()).get("/actuator/ratelimit/doctor").body()).contains("RL015");
		assertThat(new HttpProbe(port()).get("/actuator/metrics/ratelimit.switch?tag=rule:search").body())
			.contains("shadow");
		assertThat(send("DELETE", "oscar", "/switches?scope=each", "").body())
			.isEqualTo("{\"error\":\"'scope' must be 'instance' or 'all'\"}");
		assertThat(send("DELETE", "oscar", "/switches?scope=all", "").statusCode()).isEqualTo(200);
		assertThat(send("DELETE", "oscar", "/switches/search", "").statusCode()).isEqualTo(200);
		assertThat(send("DELETE", "oscar", "/switches/search", "").statusCode()).isEqualTo(404);
		assertThat(health()).contains("\"status\":\"UP\"").doesNotContain("switches");
		assertThat(post("oscar", "/switches", "{\"mode\":\"enforce\"}").statusCode()).isEqualTo(400);
		assertThat(post("oscar", "/switches", "{\"mode\":\"off\",\"duration\":\"8d\"}").statusCode()).isEqualTo(400);
		assertThat(post("oscar", "/switches/nope", "{\"mode\":\"off\"}").body()).contains("there is no rule 'nope'");
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void aParameterThatTheRequestDoesNotTakeIsRejected(WebApplicationType stack) {
		start(stack);
		assertThat(error("/switches", "{\"mode\":\"off\",\"rule\":\"search\"}"))
			.isEqualTo("'rule' does not select a rule here; use the path 'switches/search'");
		assertThat(error("/switches/other", "{\"mode\":\"off\",\"rule\":\"search\"}"))
			.isEqualTo("'rule' does not select a rule here; use the path 'switches/search'");
		assertThat(error("/switches", "{\"mode\":\"off\",\"dryRun\":\"true\"}"))
			.isEqualTo("this request has no parameter 'dryRun'; its parameters are [duration, mode, note, scope]");
		assertThat(error("/switches/search", "{\"mode\":\"off\",\"subject\":\"user:bob\"}"))
			.startsWith("this request has no parameter 'subject'");
		assertThat(error("/bans/search/user:bob", "{\"rule\":\"other\"}"))
			.startsWith("this request has no parameter 'rule'");
		assertThat(error("/bans/search/user:bob", "{\"dryRun\":\"true\"}"))
			.startsWith("this request has no parameter 'dryRun'");
		for (String name : List.of("dryrun", "dry-run", "dry_run")) {
			assertThat(post("alice", "/rules/search", edit().replace("\"note\"", "\"" + name + "\"")))
				.matches((reply) -> reply.statusCode() == 400)
				.matches((reply) -> reply.body()
					.startsWith("{\"error\":\"this request has no parameter '" + name + "'; its parameters are ["));
			assertThat(send("DELETE", "alice", "/rules/search?version=0&" + name + "=true", "").statusCode())
				.isEqualTo(400);
		}
		post("alice", "/rules/search", edit());
		assertThat(post("alice", "/versions/" + (this.version + 1),
				"{\"version\":\"" + (this.version + 1) + "\",\"rule\":\"search\"}")
			.statusCode()).isEqualTo(400);
		assertThat(send("DELETE", "oscar", "/subject?subject=user:bob&rule=search", "").statusCode()).isEqualTo(400);
		assertThat(send("DELETE", "oscar", "/subject?subject=user:bob&scope=instance", "").statusCode()).isEqualTo(400);
		assertThat(get("/switches").body()).contains("\"switches\":[]");
		assertThat(get("/bans").body()).startsWith("{\"count\":0,");
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void aSwitchOfAllRulesIsNotEndedInPlaceOfThatOfARule(WebApplicationType stack) {
		start(stack);
		assertThat(post("oscar", "/switches", "{\"mode\":\"shadow\"}").statusCode()).isEqualTo(200);
		for (String path : List.of("/switches?rule=search", "/switches/", "/switches//")) {
			assertThat(send("DELETE", "oscar", path, "").statusCode()).as(path).isEqualTo(400);
		}
		assertThat(get("/switches").body()).contains("\"mode\":\"shadow\"");
		assertThat(send("DELETE", "oscar", "/switches", "").statusCode()).isEqualTo(200);
		assertThat(post("oscar", "/switches/search", "{\"mode\":\"shadow\",\"rule\":\"search\"}").statusCode())
			.isEqualTo(200);
		assertThat(send("DELETE", "oscar", "/switches/search?rule=search", "").statusCode()).isEqualTo(200);
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void anEmptySegmentOfAPathIsRejected(WebApplicationType stack) {
		start(stack);
		for (String path : List.of("/switches/", "/bans/search/user:bob/", "/")) {
			assertThat(error(path, "{\"mode\":\"off\"}")).as(path)
				.isEqualTo("the path has an empty segment: a variable of the command may be empty;"
						+ " set a subject with '//' in the parameter 'subject'");
		}
		// The firewall of Spring Security rejects some of these requests first.
		for (String path : List.of("/switches//", "/switches//search", "/switches/%2F", "/bans//user:bob")) {
			assertThat(post("oscar", path, "{\"mode\":\"off\"}").statusCode()).as(path).isEqualTo(400);
		}
		assertThat(send("DELETE", "oscar", "/bans/search/?all=true", "").statusCode()).isEqualTo(400);
		assertThat(send("DELETE", "oscar", "/subject/url:http://host", "").statusCode()).isEqualTo(400);
		assertThat(get("/switches").body()).contains("\"switches\":[]");
		assertThat(get("/switches/").statusCode()).isEqualTo(200);
		assertThat(get("/bans").body()).startsWith("{\"count\":0,");
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void clientsAreBannedListedAndLifted(WebApplicationType stack) {
		start(stack);
		double imposed = events("imposed");
		double lifted = events("lifted");
		Reply banned = post("oscar", "/bans/search/user:ann/x", "{\"duration\":\"1h\",\"note\":\"scans\"}");
		assertThat(banned.body()).contains("\"rule\":\"search\",\"subject\":\"user:ann/x\",\"kind\":\"ban\"",
				"\"count\":1", "\"user\":\"oscar\"");
		assertThat(post("oscar", "/bans/search/user:alice", "{}").statusCode()).isEqualTo(200);
		assertThat(search("alice").statusCode()).isEqualTo(403);
		assertThat(search("oscar").statusCode()).isEqualTo(404);
		assertThat(get("/bans").body()).startsWith("{\"count\":2,").contains("user:ann/x", "user:alice");
		assertThat(get("/bans?rule=other").body()).isEqualTo("{\"count\":0,\"bans\":[]}");
		soon().until(() -> metric("ratelimit.bans?tag=rule:search&tag=kind:ban").contains("\"value\":2.0"));
		assertThat(send("DELETE", "oscar", "/bans/search/user:alice?note=known", "").body())
			.isEqualTo("{\"lifted\":true}");
		assertThat(search("alice").statusCode()).isEqualTo(404);
		assertThat(send("DELETE", "oscar", "/bans/search/user:alice", "").statusCode()).isEqualTo(404);
		assertThat(send("DELETE", "alice", "/bans/search/user:ann/x", "").statusCode()).isEqualTo(200);
		assertThat(events("imposed") - imposed).isEqualTo(2);
		assertThat(events("lifted") - lifted).isEqualTo(2);
		assertThat(this.context.getBean(LiveEndpointApplication.Audit.class).events)
			.extracting((event) -> event.getPrincipal() + " " + event.getData().get("note"))
			.containsExactly("oscar scans", "oscar ", "oscar known", "alice ");
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void listenersThatThrowChangeNoResponse(WebApplicationType stack) {
		start(stack);
		LiveEndpointApplication.Audit audit = this.context.getBean(LiveEndpointApplication.Audit.class);
		audit.failing = true;
		try {
			assertThat(post("oscar", "/switches/search", "{\"mode\":\"shadow\"}").statusCode()).isEqualTo(200);
			assertThat(get("/switches").body()).contains("\"mode\":\"shadow\"");
			assertThat(send("DELETE", "oscar", "/switches/search", "").statusCode()).isEqualTo(200);
			assertThat(post("oscar", "/bans/search/user:alice", "{}").statusCode()).isEqualTo(200);
			assertThat(send("DELETE", "oscar", "/bans/search/user:alice", "").statusCode()).isEqualTo(200);
			assertThat(post("alice", "/rules/search", edit()).statusCode()).isEqualTo(200);
			assertThat(reset("oscar", "user:alice")).isEqualTo(204);
		}
		finally {
			audit.failing = false;
		}
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void aResetIsAudited(WebApplicationType stack) {
		start(stack);
		assertThat(reset("eve", "user:alice")).isEqualTo(403);
		assertThat(reset("oscar", "user:alice")).isEqualTo(204);
		assertThat(this.context.getBean(LiveEndpointApplication.Audit.class).events).singleElement()
			.satisfies((event) -> {
				assertThat(event.getType()).isEqualTo("RATELIMIT_CHANGED");
				assertThat(event.getPrincipal()).isEqualTo("oscar");
				assertThat(event.getData()).containsEntry("what", "reset")
					.containsEntry("changes", List.of("search user:alice"));
			});
	}

	private int reset(String user, String subject) {
		return new HttpProbe(port())
			.send("DELETE", "/actuator/ratelimit/search?subject=" + subject, "Authorization",
					HttpProbe.basic(user, "secret"))
			.statusCode();
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void aSubjectIsReleasedFromAllThatRejectsIt(WebApplicationType stack) {
		start(stack);
		assertThat(
				IntStream.range(0, 2000).map((i) -> search("alice").statusCode()).anyMatch((status) -> status == 429))
			.isTrue();
		assertThat(post("oscar", "/bans/search/user:alice", "{}").statusCode()).isEqualTo(200);
		assertThat(search("alice").statusCode()).isEqualTo(403);
		assertThat(send("DELETE", "eve", "/subject?subject=user:alice", "").statusCode()).isEqualTo(403);
		assertThat(send("DELETE", "oscar", "/subject?subject=user:alice&note=called", "").body())
			.isEqualTo("{\"subject\":\"user:alice\",\"reset\":[\"search\"],\"notReset\":[],\"lifted\":[\"search\"]}");
		assertThat(search("alice").statusCode()).isEqualTo(404);
		assertThat(send("DELETE", "oscar", "/subject/user:alice", "").body()).contains("\"lifted\":[]");
		assertThat(send("DELETE", "oscar", "/subject?subject=header:x", "").body())
			.contains("no rule has subjects such as 'header:x', and it is not banned");
		assertThat(this.context.getBean(LiveEndpointApplication.Audit.class).events)
			.extracting((event) -> event.getPrincipal() + " " + event.getData().get("note"))
			.contains("oscar called");
	}

	// Lists show hashes of subjects by default.
	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void theHashOfASubjectIsNotASubject(WebApplicationType stack) {
		start(stack);
		String reason = "{\"error\":\"a hash such as 'user:~#9f3ac2d17b604e55' identifies no bucket: name the subject itself\"}";
		String hash = "user:~%239f3ac2d17b604e55";
		assertThat(send("DELETE", "oscar", "/subject?subject=" + hash, "").body()).isEqualTo(reason);
		assertThat(send("DELETE", "oscar", "/subject?subject=ip:192.0.2.1%7C" + hash, "").statusCode()).isEqualTo(400);
		assertThat(get("/subject?rule=search&subject=" + hash).body()).isEqualTo(reason);
		assertThat(post("oscar", "/bans/search", "{\"subject\":\"user:~#9f3ac2d17b604e55\"}").body()).isEqualTo(reason);
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void aSubjectIsShownWithTheBucketsOfAllPlans(WebApplicationType stack) {
		start(stack, "--ratelimit.plan=authority:PLAN_", "--ratelimit.rules.tiers.paths=/tiers",
				"--ratelimit.rules.tiers.key=user", "--ratelimit.rules.tiers.limit=unlimited",
				"--ratelimit.rules.tiers.plans.free=3/h", "--ratelimit.rules.tiers.plans.partner=unlimited",
				"--ratelimit.rules.tiers.overrides.ann=7/h");
		String subject = "/subject?rule=tiers&subject=user:";
		assertThat(get(subject + "bob").body()).contains("\"limits\":[]",
				"\"plans\":{\"free\":[{\"policy\":\"tiers\",\"limit\":\"3/h\"", "\"remaining\":3", "\"partner\":[]");
		assertThat(get(subject + "bob&plan=free").body()).contains("\"plan\":\"free\"", "\"limit\":\"3/h\"")
			.doesNotContain("plans");
		assertThat(get(subject + "bob&plan=gold")).matches((reply) -> reply.statusCode() == 400)
			.matches((reply) -> reply.body()
				.equals("{\"error\":\"the rule 'tiers' has no plan 'gold'; its plans are [free, partner]\"}"));
		assertThat(get(subject + "ann").body()).as("an override").contains("\"limit\":\"7/h\"").doesNotContain("plans");
		assertThat(get("/subject?rule=search&subject=user:bob").body()).doesNotContain("plans");
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void bansThatCannotBeAreToldInWords(WebApplicationType stack) {
		start(stack);
		for (String user : List.of("", "eve")) {
			for (String method : List.of("POST", "DELETE")) {
				Reply rejected = send(method, user, "/bans/search/user:bob", (method.equals("POST")) ? "{}" : "");
				assertThat(rejected.statusCode()).isEqualTo(403);
				assertThat(rejected.body()).isEqualTo(
						"{\"error\":\"switches, bans, releases, and resets need the authority RATELIMIT_OPERATE or RATELIMIT_WRITE\"}");
			}
		}
		assertThat(error("/bans/nope/user:bob", "{}")).isEqualTo("there is no rule 'nope'");
		assertThat(error("/bans/search/user:bob", "{\"mode\":\"off\"}"))
			.isEqualTo("'mode' must be 'ban', 'mark', or 'pause'");
		assertThat(error("/bans/search/user:bob", "{\"duration\":\"long\"}"))
			.isEqualTo("'duration' is not a duration such as 15m");
		for (String duration : List.of("0s", "-5m", "367d")) {
			assertThat(error("/bans/search/user:bob", "{\"duration\":\"" + duration + "\"}"))
				.isEqualTo("'duration' must be between 1 ms and 366 days");
		}
		for (String duration : List.of("PT2562047788015215H", "9223372036854775807s", "PT-2562047788015215H")) {
			assertThat(post("oscar", "/bans/search/user:bob", "{\"duration\":\"" + duration + "\"}").statusCode())
				.isEqualTo(400);
			assertThat(error("/switches/search", "{\"mode\":\"off\",\"duration\":\"" + duration + "\"}"))
				.isEqualTo("'duration' must be between 1 s and 7 d");
		}
		assertThat(error("/bans/search", "{}")).isEqualTo("set the subject in the path or in the parameter 'subject'");
		assertThat(error("/bans/search/user:bob", "{\"subject\":\"user:ann\"}"))
			.isEqualTo("set the subject in the path or in the parameter 'subject', not in both");
		assertThat(send("DELETE", "oscar", "/bans/search", "").statusCode()).isEqualTo(400);
		assertThat(get("/bans/search/user:bob").statusCode()).isEqualTo(404);
		assertThat(get("/bans").body()).startsWith("{\"count\":0,");
		assertThat(get("/subject?rule=nope&subject=user:bob").body())
			.isEqualTo("{\"error\":\"there is no rule 'nope'\"}");
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void aSubjectThatAPathCannotNameIsBannedAndLiftedByParameter(WebApplicationType stack) {
		start(stack);
		assertThat(post("oscar", "/bans/search", "{\"subject\":\"user:a/../b\"}").body())
			.contains("\"subject\":\"user:a/../b\"");
		assertThat(send("DELETE", "oscar", "/bans/search?subject=user:a/../b", "").body())
			.isEqualTo("{\"lifted\":true}");
		assertThat(get("/bans").body()).startsWith("{\"count\":0,");
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void notesAreBoundedAndCannotForgeLinesOfTheLog(WebApplicationType stack) {
		start(stack);
		assertThat(post("oscar", "/switches/search", "{\"mode\":\"shadow\"}").statusCode()).isEqualTo(200);
		assertThat(post("oscar", "/bans/search/user:ann", "{}").statusCode()).isEqualTo(200);
		String tooLong = "x".repeat(201);
		for (String note : List.of("a%0AWARN+forged", "a%E2%80%A8b", tooLong)) {
			assertThat(send("DELETE", "oscar", "/switches/search?note=" + note, "").statusCode()).isEqualTo(400);
			assertThat(send("DELETE", "oscar", "/bans/search/user:ann?note=" + note, "").statusCode()).isEqualTo(400);
		}
		for (String note : List.of("a\\nWARN forged", "a\\u2028b", tooLong)) {
			String body = "{\"mode\":\"%s\",\"note\":\"" + note + "\"}";
			assertThat(error("/switches/search", body.formatted("off"))).startsWith("'note' must have at most 200");
			assertThat(error("/bans/search/user:bob", body.formatted("ban")))
				.startsWith("'note' must have at most 200");
		}
		assertThat(get("/switches").body()).contains("\"mode\":\"shadow\"");
		assertThat(get("/bans").body()).startsWith("{\"count\":1,");
		assertThat(this.context.getBean(LiveEndpointApplication.Audit.class).events).hasSize(2);
		assertThat(send("DELETE", "oscar", "/switches/search", "").statusCode()).isEqualTo(200);
		assertThat(send("DELETE", "oscar", "/bans/search/user:ann", "").statusCode()).isEqualTo(200);
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void aResetNeedsTheAuthorityToOperate(WebApplicationType stack) {
		start(stack);
		this.context.getBean(RateLimiter.class).acquireBlocking("search", "user:ann", 40);
		HttpProbe http = new HttpProbe(port());
		String path = "/actuator/ratelimit/search/user:ann";
		assertThat(http.send("DELETE", path).statusCode()).isEqualTo(403);
		assertThat(http.send("DELETE", path, "Authorization", HttpProbe.basic("eve", "secret"))).satisfies((reply) -> {
			assertThat(reply.statusCode()).isEqualTo(403);
			assertThat(reply.body())
				.isEqualTo("{\"error\":\"resets need the authority RATELIMIT_OPERATE or" + " RATELIMIT_WRITE\"}");
		});
		assertThat(http.get(path).body()).as("40 are back after 24 s").doesNotContain("\"remaining\":100");
		for (String user : List.of("oscar", "alice")) {
			assertThat(http.send("DELETE", path, "Authorization", HttpProbe.basic(user, "secret")).statusCode())
				.isEqualTo(204);
		}
		assertThat(http.get(path).body()).contains("\"remaining\":100");
	}

	private String error(String path, String body) {
		Reply reply = post("oscar", path, body);
		assertThat(reply.statusCode()).as(body).isEqualTo(400);
		return reason(reply);
	}

	private static String missing(Reply reply) {
		assertThat(reply.statusCode()).isEqualTo(404);
		return reason(reply);
	}

	private static String reason(Reply reply) {
		return reply.body().replaceAll("^\\{\"error\":\"|\"}$", "");
	}

	private Reply search(String user) {
		return new HttpProbe(port()).get("/search", "Authorization", HttpProbe.basic(user, "secret"));
	}

	private double events(String event) {
		String body = metric("ratelimit.bans.events?tag=rule:search&tag=event:" + event);
		Matcher value = Pattern.compile("\"value\":([0-9.]+)").matcher(body);
		return (value.find()) ? Double.parseDouble(value.group(1)) : 0;
	}

	private String metric(String path) {
		return new HttpProbe(port()).get("/actuator/metrics/" + path).body();
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void aRejectedVersionIsVisible(WebApplicationType stack) {
		start(stack);
		post("alice", "/rules/search", edit());
		awaitLimit("200/min");
		this.context.getBean(MemoryRuleSource.class).put("rules: {search: {limit: soon}}");
		soon().until(() -> health().contains("DEGRADED"));
		assertThat(health()).contains("\"status\":\"DEGRADED\"", "rulesRejected", "rules.search.limit");
		assertThat(new HttpProbe(port()).get("/actuator/ratelimit/doctor").body()).contains("RL014",
				"memory " + (this.version + 2));
		assertThat(new HttpProbe(port()).get("/actuator/metrics/ratelimit.rules.rejected").body())
			.contains("\"value\":1.0");
		assertThat(get("").body()).contains("\"rejected\":");
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void aPausedContextFollowsAgain(WebApplicationType stack) {
		start(stack);
		Lifecycle live = (Lifecycle) this.context.getBean("rateLimitLiveLifecycle");
		long before = threads();
		live.stop();
		// The thread of another context may end meanwhile, too.
		soon().until(() -> threads() < before);
		this.context.getBean(MemoryRuleSource.class).put("rules: {search: {limit: 300/min}}");
		assertThat(this.context.getBean(MemoryRuleSource.class).isStarted()).isFalse();
		live.start();
		awaitLimit("300/min");
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void theExamplesOfTheDocumentationWork(WebApplicationType stack) throws IOException {
		start(stack, "--spring.application.name=examples");
		theExamplesWork("live-rules.md", 10);
		theExamplesWork("operations.md", 13);
	}

	private void theExamplesWork(String page, int count) throws IOException {
		List<String> examples = Files.readString(Path.of("..", "docs", page))
			.lines()
			.filter((line) -> line.startsWith("curl ") && line.contains(PATH) && !line.contains("/candidate"))
			.toList();
		assertThat(examples).hasSize(count).allSatisfy((example) -> {
			CurlCommand command = CurlCommand.parse(example);
			Reply reply = send(command.method(), command.user(), command.path().substring(PATH.length()),
					command.body());
			assertThat(reply.statusCode()).as(example + " " + reply.body()).isEqualTo(200);
		});
	}

	private static long threads() {
		return Thread.getAllStackTraces()
			.keySet()
			.stream()
			.filter((thread) -> thread.getName().equals("ratelimit-live"))
			.count();
	}

	private void awaitLimit(String limit) {
		soon().until(() -> limit().equals(limit));
	}

	private static ConditionFactory soon() {
		return Awaitility.await().pollDelay(Duration.ZERO).pollInterval(Duration.ofMillis(5));
	}

	private String edit() {
		return "{\"definition\":\"limit: 200/min\"," + read() + ",\"note\":\"launch\"}";
	}

	private String read() {
		return "\"version\":\"" + this.version + "\"";
	}

	private String version(int writes) {
		return "\"version\":" + (this.version + writes);
	}

	private long newest() {
		return this.context.getBean(MemoryRuleSource.class).newest().map(RuleDocument::version).orElse(0L);
	}

	private String limit() {
		return String
			.valueOf(this.context.getBean(Editions.class).current().rules().rules().get("search").limits().get(0));
	}

	private String health() {
		return new HttpProbe(port()).get("/actuator/health/ratelimit").body();
	}

	private void start(WebApplicationType stack, String... properties) {
		List<String> all = Stream
			.concat(Stream.of("--spring.main.web-application-type=" + stack), Stream.of(properties))
			.toList();
		this.context = applications.computeIfAbsent(all, (key) -> run(stack, properties));
		reset();
	}

	private static ConfigurableApplicationContext run(WebApplicationType stack, String... properties) {
		List<String> arguments = new ArrayList<>(List.of(properties));
		arguments.addAll(List.of("--server.port=0", "--ratelimit.rules.search.limit=100/min",
				"--ratelimit.rules.search.paths=/search", "--ratelimit.bans.enabled=true",
				"--management.endpoints.web.exposure.include=*", "--management.endpoint.health.show-details=always",
				"--management.health.redis.enabled=false"));
		return new SpringApplicationBuilder(LiveEndpointApplication.class).web(stack)
			.run(arguments.toArray(String[]::new));
	}

	// Remove the changes of other tests. Versions only grow, so tests count from the
	// newest version.
	private void reset() {
		MemoryRuleSource source = this.context.getBean(MemoryRuleSource.class);
		source.recover();
		if (newest() > 0) {
			source.put("rules: {}");
		}
		EffectiveRules rules = this.context.getBean(EffectiveRules.class);
		soon().until(() -> newest() == 0 || rules.document().orElseThrow().version() == newest());
		soon().until(() -> limit().equals("100/min") && health().contains("\"status\":\"UP\""));
		this.version = newest();
		this.context.getBean(LiveEndpointApplication.Audit.class).events.clear();
	}

	private Reply get(String path) {
		return new HttpProbe(port()).get(PATH + path);
	}

	private Reply post(String user, String path, String body) {
		return send("POST", user, path, body);
	}

	private Reply send(String method, String user, String path, String body) {
		List<String> headers = new ArrayList<>(List.of("Content-Type", "application/json"));
		if (!user.isEmpty()) {
			headers.addAll(List.of("Authorization", HttpProbe.basic(user, "secret")));
		}
		return new HttpProbe(port()).send(method, PATH + path, body, headers.toArray(String[]::new));
	}

	private int port() {
		return this.context.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
	}

}
