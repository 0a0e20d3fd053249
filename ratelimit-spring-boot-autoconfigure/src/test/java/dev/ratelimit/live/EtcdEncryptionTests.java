package dev.ratelimit.live;

import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import dev.ratelimit.engine.Editions;
import dev.ratelimit.store.Upkeep;
import dev.ratelimit.test.etcd.EtcdTest;
import dev.ratelimit.test.etcd.TestCertificate;
import dev.ratelimit.test.etcd.TestEtcd;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests an etcd that uses TLS and requires client certificates.
 */
@EtcdTest
class EtcdEncryptionTests {

	private static final String RULES = "/ratelimit/rules/";

	@Test
	void rulesAreReadByTheCertificatesOfABundleOnly(@TempDir Path directory) throws Exception {
		TestCertificate certificate = TestCertificate.create(directory);
		try (TestEtcd etcd = TestEtcd.start(certificate)) {
			etcd.protect("/ratelimit/", "limiter", "secret");
			etcd.replace(RULES, Map.of(RULES + "search", "limit: 200/min"));
			URI endpoint = etcd.member(0).encryptedEndpoint();
			try (ConfigurableApplicationContext context = start(endpoint, certificate)) {
				// On a busy machine, the first request may take longer than the timeout
				// of the start.
				Awaitility.await().untilAsserted(() -> assertThat(limit(context)).isEqualTo("200/min"));
				etcd.replace(RULES, Map.of(RULES + "search", "limit: 300/min"));
				Awaitility.await().untilAsserted(() -> assertThat(limit(context)).isEqualTo("300/min"));
			}
			assertThat(withoutBundle(endpoint)).as("a certificate that the JVM does not trust").contains("PKIX");
		}
	}

	private static ConfigurableApplicationContext start(URI endpoint, TestCertificate certificate) {
		return new SpringApplicationBuilder(Application.class).web(WebApplicationType.NONE)
			.run("--spring.main.banner-mode=off", "--ratelimit.rules.search.programmatic=true",
					"--ratelimit.rules.search.limit=100/min", "--ratelimit.live.source=etcd",
					"--ratelimit.live.on-missing=base", "--ratelimit.live.etcd.endpoints=" + endpoint,
					"--ratelimit.live.etcd.username=limiter", "--ratelimit.live.etcd.password=secret",
					"--ratelimit.live.etcd.ssl.bundle=etcd",
					"--spring.ssl.bundle.pem.etcd.truststore.certificate=" + certificate.certificate().toUri(),
					"--spring.ssl.bundle.pem.etcd.keystore.certificate=" + certificate.certificate().toUri(),
					"--spring.ssl.bundle.pem.etcd.keystore.private-key=" + certificate.key().toUri());
	}

	private static String withoutBundle(URI endpoint) throws Exception {
		SourceLog log = new SourceLog();
		try (Upkeep upkeep = new Upkeep();
				EtcdRuleSource source = new EtcdRuleSource(
						new EtcdSettings(List.of(endpoint), "/ratelimit/", Optional.empty(), Optional.empty()),
						upkeep)) {
			source.start(log);
			return log.await("failed");
		}
	}

	private static String limit(ConfigurableApplicationContext context) {
		return context.getBean(Editions.class).current().rules().rules().get("search").limits().get(0).toString();
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

	}

}
