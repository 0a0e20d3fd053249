package dev.ratelimit.actuate;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import dev.ratelimit.RateLimiter;
import dev.ratelimit.http.HttpProbe;
import dev.ratelimit.http.Reply;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that every bucket can be read and reset, for any characters in its subject.
 */
class SubjectsOverHttpTests {

	private ConfigurableApplicationContext context = new GenericApplicationContext();

	@AfterEach
	void close() {
		this.context.close();
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void anySubjectIsReachableByParameter(WebApplicationType stack) {
		start(stack);
		for (String value : List.of("a//b", "/a", "a/", "a/../b", "50%25", "a;b=c?d&e#f", "a+b", "\u00fc")) {
			String subject = "header:" + value;
			this.context.getBean(RateLimiter.class).acquire("keyed", subject).block();
			String query = "/keyed?subject=" + URLEncoder.encode(subject, StandardCharsets.UTF_8);
			assertThat(send("GET", query).body()).as(value).contains("\"remaining\":1");
			assertThat(send("DELETE", query).statusCode()).isEqualTo(204);
			assertThat(send("GET", query).body()).as(value).contains("\"remaining\":2");
		}
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void anIpv6AddressNamesTheNetworkByWhichItIsCounted(WebApplicationType stack) {
		start(stack);
		RateLimiter limiter = this.context.getBean(RateLimiter.class);
		for (String named : List.of("ip:2001:db8:1:2::7", "ip:2001:DB8:1:2:0::9/64", "ip:2001:db8:1:2::/64")) {
			limiter.acquire("keyed", "ip:2001:db8:1:2::/64").block();
			assertThat(send("GET", "/keyed/" + named).body()).as(named)
				.contains("\"subject\":\"ip:2001:db8:1:2::/64\"", "\"remaining\":1");
			assertThat(send("DELETE", "/keyed?subject=" + named).statusCode()).isEqualTo(204);
			assertThat(send("GET", "/keyed/" + named).body()).contains("\"remaining\":2");
		}
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void theNetworkOfAnIpv6AddressIsBannedAndReleased(WebApplicationType stack) {
		start(stack);
		assertThat(live("POST", "bans/strict/ip:2001:db8:1:2::7", "{\"duration\":\"10m\"}").body())
			.contains("\"subject\":\"ip:2001:db8:1:2::/64\"");
		assertThat(live("DELETE", "bans/strict?subject=ip:2001:db8:1:2::8", "").body()).contains("\"lifted\":true");
		live("POST", "bans/strict/ip:2001:db8:1:2::7", "{\"duration\":\"10m\"}");
		assertThat(live("DELETE", "subject?subject=ip:2001:db8:1:2::9", "").body())
			.contains("\"subject\":\"ip:2001:db8:1:2::/64\"", "\"lifted\":[\"strict\"]");
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void anAddressThatReplacesTheUserIsReleased(WebApplicationType stack) {
		start(stack);
		HttpProbe anonymous = new HttpProbe(port());
		assertThat(IntStream.range(0, 3).map((i) -> anonymous.get("/users").statusCode())).containsExactly(404, 404,
				429);
		assertThat(live("DELETE", "subject?subject=ip:127.0.0.1", "").body())
			.contains("\"reset\":[\"strict\",\"users\"]");
		assertThat(anonymous.get("/users").statusCode()).isEqualTo(404);
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void bansThatCanHaveNoEffectAreRejected(WebApplicationType stack) {
		start(stack);
		Map<String, String> reasons = Map.of("user:x", "no request has the subject 'user:x' under the rule 'strict'",
				"nonsense", "no request has the subject 'nonsense'", "ip:banana", "'banana' is not the address of one",
				"ip:0.0.0.0/0", "'0.0.0.0/0' is not the address of one client", "ip:2001:db8::/48",
				"'2001:db8::/48' is not the address of one client", "ip:10.1.2.3",
				"'10.1.2.3' is a trusted proxy; to ban it would ban all clients behind it");
		reasons.forEach((subject,
				reason) -> assertThat(live("POST", "bans/strict?subject=" + subject, "{\"duration\":\"10m\"}"))
					.satisfies((reply) -> {
						assertThat(reply.statusCode()).as(subject).isEqualTo(400);
						assertThat(reply.body()).contains(reason);
					}));
		assertThat(live("POST", "bans/users/header:x", "{\"duration\":\"10m\"}").body())
			.contains("no request has the subject 'header:x' under the rule 'users'");
		assertThat(live("POST", "bans/users/ip:192.0.2.1", "{\"duration\":\"10m\"}").statusCode())
			.as("in place of a user")
			.isEqualTo(200);
		assertThat(live("POST", "bans/strict/ip:unknown", "{\"duration\":\"10m\"}").statusCode()).isEqualTo(200);
		assertThat(live("POST", "bans/strict/ip:192.0.2.1", "{\"duration\":\"10m\"}").statusCode()).isEqualTo(200);
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void theBucketOfAPlanIsShownAndStartedAfresh(WebApplicationType stack) {
		start(stack);
		String subject = "/keyed?subject=header:a";
		new HttpProbe(port()).get("/keyed", "X-Api-Key", "a", "X-Plan", "paid");
		assertThat(send("GET", subject).body()).contains("\"remaining\":2").doesNotContain("\"plan\"");
		assertThat(send("GET", subject + "&plan=paid").body()).contains("\"plan\":\"paid\"", "\"remaining\":8");
		assertThat(send("GET", "/keyed/header:a?plan=paid").body()).contains("\"remaining\":8");
		assertThat(send("DELETE", subject).statusCode()).isEqualTo(204);
		assertThat(send("GET", subject + "&plan=paid").body()).contains("\"remaining\":9");
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void theBucketOfAnOverrideIsShownWhateverThePlan(WebApplicationType stack) {
		start(stack);
		new HttpProbe(port()).get("/keyed", "X-Api-Key", "vip", "X-Plan", "paid");
		assertThat(send("GET", "/keyed?subject=header:vip&plan=paid").body()).contains("\"remaining\":29")
			.doesNotContain("\"plan\"");
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void contradictoryParametersAreRejected(WebApplicationType stack) {
		start(stack);
		assertThat(send("GET", "/keyed?subject=user:a&plan=none")).satisfies((reply) -> {
			assertThat(reply.statusCode()).isEqualTo(400);
			assertThat(reply.body()).contains("'none'");
		});
		assertThat(send("GET", "/keyed/user:a?subject=user:b").statusCode()).isEqualTo(400);
		assertThat(send("DELETE", "/keyed/user:a?subject=user:b").statusCode()).isEqualTo(400);
		assertThat(send("DELETE", "/keyed?subject=").statusCode()).isEqualTo(400);
		assertThat(send("GET", "/keyed?subject=").statusCode()).isEqualTo(400);
		assertThat(send("GET", "/nope?subject=user:a").statusCode()).isEqualTo(404);
		assertThat(send("DELETE", "/nope?subject=user:a").statusCode()).isEqualTo(404);
	}

	private void start(WebApplicationType stack) {
		this.context.close();
		this.context = new SpringApplicationBuilder(ManagementOverHttpTests.Nothing.class).web(stack)
			.run("--server.port=0", "--ratelimit.rules.keyed.paths=/keyed", "--ratelimit.rules.keyed.limit=2/d",
					"--ratelimit.rules.keyed.key=header:X-Api-Key", "--ratelimit.rules.keyed.plans.paid.limit=9/d",
					"--ratelimit.rules.keyed.overrides.vip.limit=30/d", "--ratelimit.plan.from=header:X-Plan",
					"--ratelimit.plan.trusted=true", "--management.endpoints.web.exposure.include=*",
					"--ratelimit.live.anonymous-writes=true", "--ratelimit.client-address.trusted-proxies=10.0.0.0/8",
					"--ratelimit.rules.strict.paths=/strict", "--ratelimit.rules.strict.limit=2/d",
					"--ratelimit.rules.strict.key=ip", "--ratelimit.rules.strict.ban.after=100",
					"--ratelimit.rules.users.paths=/users", "--ratelimit.rules.users.limit=2/d",
					"--ratelimit.rules.users.key=user");
	}

	private Reply send(String method, String path) {
		return new HttpProbe(port()).send(method, "/actuator/ratelimit" + path);
	}

	private Reply live(String method, String path, String body) {
		return new HttpProbe(port()).send(method, "/actuator/ratelimitlive/" + path, body,
				new String[] { "Content-Type", "application/json" });
	}

	private int port() {
		return this.context.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
	}

}
