package dev.ratelimit.live;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

import com.sun.net.httpserver.HttpServer;
import dev.ratelimit.store.Upkeep;
import dev.ratelimit.test.etcd.EtcdTest;
import dev.ratelimit.test.etcd.TestEtcd;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests members that end, hang, lose tokens, or are not an etcd.
 */
@EtcdTest
class EtcdFaultTests {

	private static final String RULES = "/ratelimit/rules/";

	private final Upkeep upkeep = new Upkeep();

	private final SourceLog log = new SourceLog();

	@AfterEach
	void end() {
		this.upkeep.close();
	}

	private EtcdRuleSource start(List<URI> endpoints, Optional<EtcdSettings.User> user) {
		EtcdRuleSource source = new EtcdRuleSource(new EtcdSettings(endpoints, "/ratelimit/", user, Optional.empty()),
				this.upkeep);
		source.start(this.log);
		return source;
	}

	@Test
	void anEtcdThatEndsIsToldAndReadAgainWhenItIsBack() throws Exception {
		try (TestEtcd etcd = TestEtcd.start(1); EtcdRuleSource source = start(etcd.endpoints(), Optional.empty())) {
			etcd.replace(RULES, Map.of(RULES + "a", "limit: 1/s"));
			this.log.document();
			etcd.member(0).kill();
			this.log.await("failed: no connection");
			etcd.member(0).restart();
			etcd.awaitUp();
			this.log.await("unchanged");
			etcd.replace(RULES, Map.of(RULES + "a", "limit: 2/s"));
			assertThat(this.log.document().rules()).isEqualTo(Map.of("a", Map.of("limit", "2/s")));
			assertThat(source.name()).isEqualTo("etcd");
		}
	}

	@Test
	void anEtcdThatStandsStillIsToldAndReadAgain() throws Exception {
		try (TestEtcd etcd = TestEtcd.start(1); EtcdRuleSource source = start(etcd.endpoints(), Optional.empty())) {
			etcd.replace(RULES, Map.of(RULES + "a", "limit: 1/s"));
			this.log.document();
			etcd.member(0).pause();
			this.log.await("failed: timeout");
			etcd.member(0).resume();
			this.log.await("unchanged");
			assertThat(source.nowMillis()).isEmpty();
		}
	}

	@Test
	void aTokenThatIsLostIsReplaced() throws Exception {
		try (TestEtcd etcd = TestEtcd.start(1)) {
			etcd.protect("/ratelimit/", "limiter", "secret");
			etcd.replace(RULES, Map.of(RULES + "a", "limit: 1/s"));
			try (EtcdRuleSource source = start(etcd.endpoints(),
					Optional.of(new EtcdSettings.User("limiter", "secret")))) {
				this.log.document();
				this.log.await("unchanged");
				// A password change invalidates the tokens of the user without a restart
				// of etcd.
				etcd.call("/v3/auth/user/changepw", Map.of("name", "limiter", "password", "secret"));
				etcd.authenticate();
				etcd.replace(RULES, Map.of(RULES + "a", "limit: 2/s"));
				assertThat(this.log.document().rules()).isEqualTo(Map.of("a", Map.of("limit", "2/s")));
				etcd.member(0).kill();
				etcd.member(0).restart();
				etcd.awaitUp();
				etcd.authenticate();
				etcd.replace(RULES, Map.of(RULES + "a", "limit: 3/s"));
				assertThat(this.log.document().rules()).isEqualTo(Map.of("a", Map.of("limit", "3/s")));
				assertThat(source.name()).isEqualTo("etcd");
			}
		}
	}

	@Test
	void aWrongPasswordIsSaidWithoutIt() throws Exception {
		try (TestEtcd etcd = TestEtcd.start(1)) {
			etcd.protect("/ratelimit/", "limiter", "secret");
			try (EtcdRuleSource source = start(etcd.endpoints(),
					Optional.of(new EtcdSettings.User("limiter", "wrong-one")))) {
				assertThat(this.log.await("failed")).contains("authentication failed").doesNotContain("wrong-one");
				assertThat(source.name()).isEqualTo("etcd");
			}
		}
	}

	@Test
	void theNextMemberIsReadIfOneEndsAndNoneWithoutAMajority() throws Exception {
		try (TestEtcd etcd = TestEtcd.start(3); EtcdRuleSource source = start(etcd.endpoints(), Optional.empty())) {
			etcd.replace(RULES, Map.of(RULES + "a", "limit: 1/s"));
			this.log.document();
			etcd.member(0).kill();
			etcd.replace(RULES, Map.of(RULES + "a", "limit: 2/s"));
			assertThat(this.log.document().rules()).isEqualTo(Map.of("a", Map.of("limit", "2/s")));
			etcd.member(1).kill();
			this.log.await("failed");
			etcd.member(0).restart();
			etcd.member(1).restart();
			etcd.awaitUp();
			this.log.clear();
			this.log.await("unchanged");
			assertThat(source.name()).isEqualTo("etcd");
		}
	}

	@Test
	void twoMembersAgree() throws Exception {
		try (TestEtcd etcd = TestEtcd.start(2)) {
			etcd.replace(RULES, Map.of(RULES + "a", "limit: 1/s"));
			SourceLog other = new SourceLog();
			try (EtcdRuleSource first = start(List.of(etcd.member(0).endpoint()), Optional.empty());
					EtcdRuleSource second = new EtcdRuleSource(new EtcdSettings(List.of(etcd.member(1).endpoint()),
							"/ratelimit/", Optional.empty(), Optional.empty()), this.upkeep)) {
				second.start(other);
				assertThat(this.log.document()).isEqualTo(other.document());
				etcd.replace(RULES, Map.of(RULES + "a", "limit: 2/s"));
				assertThat(this.log.document()).isEqualTo(other.document());
				assertThat(first.name()).isEqualTo(second.name());
			}
		}
	}

	@Test
	void aRedirectionIsNotFollowedAndOtherResponsesAreNotTrusted() throws Exception {
		AtomicInteger calls = new AtomicInteger();
		HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
		server.createContext("/", (exchange) -> {
			calls.incrementAndGet();
			exchange.getResponseHeaders()
				.set("Location", "http://127.0.0.1:" + server.getAddress().getPort() + "/next");
			exchange.sendResponseHeaders(302, -1);
			exchange.close();
		});
		server.createContext("/page", (exchange) -> {
			byte[] page = "<html>secret</html>".getBytes(StandardCharsets.UTF_8);
			exchange.sendResponseHeaders(200, page.length);
			exchange.getResponseBody().write(page);
			exchange.close();
		});
		server.createContext("/long", (exchange) -> {
			exchange.sendResponseHeaders(200, 0);
			try {
				for (int i = 0; i < 200; i++) {
					exchange.getResponseBody().write(new byte[1 << 20]);
				}
			}
			catch (IOException ex) {
				exchange.close();
			}
		});
		server.start();
		URI base = URI.create("http://127.0.0.1:" + server.getAddress().getPort());
		try (EtcdRuleSource source = start(List.of(base), Optional.empty())) {
			assertThat(this.log.await("failed")).isEqualTo("failed: status 302");
			assertThat(calls).hasValue(1);
			assertThat(source.name()).isEqualTo("etcd");
		}
		EtcdClient.EtcdMember member = new EtcdClient.EtcdMember(java.net.http.HttpClient.newHttpClient(), base);
		assertThat(reason(member, "/page")).isEqualTo("the response is not that of etcd");
		assertThat(reason(member, "/long")).isEqualTo("the response is too long");
		server.stop(0);
	}

	private static String reason(EtcdClient.EtcdMember member, String path) {
		try {
			return member.call(path, Optional.empty(), Map.of()).toString();
		}
		catch (EtcdException ex) {
			return String.valueOf(ex.getMessage());
		}
	}

}
