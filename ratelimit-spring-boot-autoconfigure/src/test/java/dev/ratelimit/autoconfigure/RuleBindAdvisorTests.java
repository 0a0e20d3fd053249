package dev.ratelimit.autoconfigure;

import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.function.UnaryOperator;

import dev.ratelimit.rule.InvalidRuleException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.context.properties.bind.AbstractBindHandler;
import org.springframework.boot.context.properties.bind.BindContext;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.UnboundConfigurationPropertiesException;
import org.springframework.boot.context.properties.bind.handler.IgnoreTopLevelConverterNotFoundBindHandler;
import org.springframework.boot.context.properties.bind.handler.NoUnboundElementsBindHandler;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.convert.ApplicationConversionService;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.MutablePropertySources;
import org.springframework.core.env.PropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;
import org.springframework.core.io.ByteArrayResource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class RuleBindAdvisorTests {

	private static final String RULES = """
			ratelimit:
			  defaults: { failure: closed }
			  rules:
			    search:
			      paths: [ /search, /find/** ]
			      exceptPaths: /search/help
			      limits: [ { limit: 10/s }, { limit: 100/min, burst: 20 } ]
			      overrides: { acme: 1000/min }
			    login: { paths: /login, limit: 5/min, key: [ip, 'form:username'], ban: { after: 3, for: 1h } }
			""";

	private final MutablePropertySources sources = new MutablePropertySources();

	private int looked;

	@Test
	void bindsTheSame() throws IOException {
		yaml(RULES);
		assertThat(bound(advisor()::apply)).isEqualTo(bound((handler) -> handler));
		assertThat(bound().rules()).containsOnlyKeys("search", "login");
	}

	// Applications with Spring Cloud have such an advisor.
	@Test
	void bindsTheSameBelowAnotherAdvisor() throws IOException {
		yaml("ratelimit.rules.login: { paths: /login, limit: 5/min }");
		assertThat(bound((handler) -> new AbstractBindHandler(advisor().apply(handler)) {
		})).isEqualTo(bound((handler) -> handler));
		assertThat(bound().rules()).containsOnlyKeys("login");
	}

	@Test
	void bindsVariablesOfTheEnvironment() throws IOException {
		this.sources.addLast(new SystemEnvironmentPropertySource(
				StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME,
				Map.of("RATELIMIT_RULES_LOGIN_EXCEPTPATHS_0", "/login/help", "RATELIMIT_RULES_LOGIN_LIMIT", "7/min")));
		yaml(RULES);
		RuleProperties login = bound().rules().get("login");
		assertThat(login).isEqualTo(bound((handler) -> handler).rules().get("login"));
		assertThat(login.exceptPaths()).containsExactly("/login/help");
	}

	@Test
	void underscoresStandForDashesOfProperties() throws IOException {
		this.sources
			.addLast(new SystemEnvironmentPropertySource(StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME,
					Map.of("RATELIMIT_RULES_LOGIN_EXCEPT_PATHS_0", "/login/help",
							"RATELIMIT_RULES_LOGIN_ON_MISSING_KEY", "deny", "RATELIMIT_RULES_LOGIN_WAIT_FAIR_BY", "ip",
							"RATELIMIT_RULES_LOGIN_WAIT_MAX", "2s")));
		yaml(RULES);
		RuleProperties login = bound().rules().get("login");
		assertThat(login).isEqualTo(bound((handler) -> handler).rules().get("login"));
		assertThat(login.exceptPaths()).containsExactly("/login/help");
		assertThat(login.toString()).contains("onMissingKey=DENY", "fairBy=ip");
	}

	@Test
	@ExtendWith(OutputCaptureExtension.class)
	void aVariableThatSetsNothingIsNamed(CapturedOutput output) throws IOException {
		this.sources
			.addLast(new SystemEnvironmentPropertySource(StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME,
					Map.of("RATELIMIT_RULES_LOGIN_PAGE_LIMIT", "7/min", "RATELIMIT_RULES_API_KEY_LIMIT", "7/min",
							"RATELIMIT_RULES_LOGIN_KEY", "user", "RATELIMIT_RULES_LOGIN_ON_MISSING_KEY", "deny",
							"RATELIMIT_RULES_LOGIN_BAN_AFTER", "5", "RATELIMIT_RULES_LOGIN_PLANS_GOLD_LIMIT", "5/min",
							"RATELIMIT_RULES_LOGIN_EXCEPT_PATHS_0", "/x", "RATELIMIT_RULES_LOGIN_COUNT_ONLY_STATUS_0",
							"401")));
		yaml("ratelimit: { rules: { login-page: { paths: /login, limit: 5/min } } }");
		assertThat(bound().rules().get("login-page").toString()).contains("limit=5/min");
		assertThat(output.toString().lines().filter((line) -> line.contains(" sets no property of a rule"))).hasSize(2);
		assertThat(output).containsOnlyOnce("RATELIMIT_RULES_LOGIN_PAGE_LIMIT")
			.containsOnlyOnce("RATELIMIT_RULES_API_KEY_LIMIT");
	}

	@Test
	void variablesOfTheEnvironmentFindRulesWithDashes() throws IOException {
		this.sources
			.addLast(new SystemEnvironmentPropertySource(StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME,
					Map.of("RATELIMIT_RULES_LOGINPAGE_LIMIT", "7/min", "RATELIMIT_RULES_LOGINPAGE_EXCEPTPATHS_0",
							"/login/help", "RATELIMIT_RULES_ONLYHERE_LIMIT", "9/min")));
		yaml("ratelimit: { rules: { login-page: { paths: /login, limit: 5/min, plans: { gold: 50/min } } } }");
		Map<String, RuleProperties> rules = bound().rules();
		assertThat(rules).containsOnlyKeys("login-page", "onlyhere");
		assertThat(rules.get("login-page").exceptPaths()).containsExactly("/login/help");
		assertThat(rules.get("login-page").toString()).contains("limit=7/min", "paths=[/login]", "limit=50/min");
	}

	@Test
	void asksSourcesThatDoNotTellTheirNames() throws IOException {
		yaml(RULES);
		this.sources.addFirst(new PropertySource<>("secret", "") {

			@Override
			public @Nullable Object getProperty(String name) {
				return name.equals("ratelimit.rules.login.status") ? "503" : null;
			}

		});
		RuleProperties login = bound().rules().get("login");
		assertThat(login).isEqualTo(bound((handler) -> handler).rules().get("login"));
		assertThat(login.toString()).contains("503");
	}

	@Test
	void resolvesPlaceholders() throws IOException {
		yaml("{ attempts: 5, ratelimit: { rules: { login: { paths: /login, limit: '${attempts}/min' } } } }");
		assertThat(bound().rules().get("login").limit()).isEqualTo("5/min");
	}

	@Test
	void usesConvertersOfTheApplication() throws IOException {
		yaml("ratelimit: { rules: { login: { paths: /login, lease: a moment } } }");
		ApplicationConversionService conversion = new ApplicationConversionService();
		conversion.addConverter(String.class, Duration.class, (text) -> Duration.ofSeconds(7));
		Binder binder = new Binder(ConfigurationPropertySources.from(this.sources), null, conversion);
		RateLimitProperties properties = binder.bindOrCreate("ratelimit", Bindable.of(RateLimitProperties.class),
				advisor().apply(BindHandler.DEFAULT));
		assertThat(properties.rules().get("login").lease()).isEqualTo(Duration.ofSeconds(7));
	}

	@Test
	void aLineIsARule() throws IOException {
		yaml("""
				paths: "/login,/signup"
				ratelimit.rules:
				  login: POST ${paths} 5/min burst 9 per ip, header:X-Device
				  export: 20 concurrent
				""");
		Map<String, RuleProperties> lines = bound().rules();
		this.sources.remove("yaml");
		yaml("""
				ratelimit.rules:
				  login: { methods: POST, paths: [/login, /signup], limit: 5/min burst 9, key: [ip, header:X-Device] }
				  export: { limit: 20 concurrent }
				""");
		assertThat(lines).isEqualTo(bound().rules());
	}

	@Test
	void aLineAndPropertiesOfOtherSourcesAreMerged() throws IOException {
		yaml("ratelimit.rules.login-page: POST /login 5/min per ip");
		Map<String, Object> above = Map.of("ratelimit.rules.login-page.limit", "7/min",
				"ratelimit.rules.login-page.status", 503);
		this.sources.addFirst(new MapPropertySource("above", above));
		this.sources
			.addFirst(new SystemEnvironmentPropertySource(StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME,
					Map.of("RATELIMIT_RULES_LOGINPAGE_KEY", "user")));
		NoUnboundElementsBindHandler handler = new NoUnboundElementsBindHandler(BindHandler.DEFAULT);
		assertThat(bound((any) -> advisor().apply(handler)).rules()).hasToString(
				textOf("{ login-page: { methods: POST, paths: /login, limit: 7/min, key: user, status: 503 } }"));
	}

	@Test
	void aLineReplacesWhatSourcesBelowHave() throws IOException {
		yaml("ratelimit.rules.login: { paths: [/a, /b], limit: 5/min, mode: shadow }");
		this.sources
			.addFirst(new SystemEnvironmentPropertySource(StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME,
					Map.of("RATELIMIT_RULES_LOGIN", "/c 9/min")));
		NoUnboundElementsBindHandler handler = new NoUnboundElementsBindHandler(BindHandler.DEFAULT);
		assertThat(bound((any) -> advisor().apply(handler)).rules())
			.hasToString(textOf("{ login: { paths: /c, limit: 9/min, mode: shadow } }"));
	}

	@Test
	void sourcesThatDoNotListTheirNamesCanHaveLines() throws IOException {
		yaml("ratelimit.rules.login: { limit: 5/min, mode: shadow }");
		this.sources.addFirst(new PropertySource<>("secret", "") {

			@Override
			public @Nullable Object getProperty(String name) {
				return name.equals("ratelimit.rules.login") ? "/c 9/min" : null;
			}

		});
		assertThat(bound().rules()).hasToString(textOf("{ login: { paths: /c, limit: 9/min, mode: shadow } }"));
	}

	private String textOf(String rules) throws IOException {
		this.sources.stream().map(PropertySource::getName).toList().forEach(this.sources::remove);
		yaml("ratelimit: { rules: " + rules + " }");
		return bound().rules().toString();
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			ratelimit.rules.login       | limit     | 'POST /login 5/min' | 9/min | ratelimit.rules.login.limit
			ratelimit.rules.login       | paths[0]  | 'POST /login 5/min' | /a    | ratelimit.rules.login.paths
			ratelimit.rules.login       | methods   | 'POST /login 5/min' | GET   | ratelimit.rules.login.methods
			ratelimit.rules.login-page  | key       | '/login 5/min per ip' | user | ratelimit.rules.login-page.key
			""")
	void rejectsWhatOneSourceWritesTwice(String rule, String property, String line, String value, String culprit) {
		this.sources.addFirst(new MapPropertySource("twice", Map.of(rule, line, rule + "." + property, value)));
		assertThatExceptionOfType(BindException.class).isThrownBy(this::bound)
			.havingRootCause()
			.isInstanceOfSatisfying(InvalidRuleException.class, (failure) -> {
				assertThat(failure.location()).isEqualTo(culprit);
				assertThat(failure).hasMessageContaining("the same source has the rule as a line");
			});
	}

	@ParameterizedTest
	@ValueSource(strings = { "''", "20", "true", "POST /login", "/login 5/min pre ip" })
	void rejectsALineThatIsNoRule(String line) throws IOException {
		yaml("ratelimit: { rules: { login: " + line + " } }");
		assertThatExceptionOfType(BindException.class).isThrownBy(this::bound)
			.havingRootCause()
			.isInstanceOf(InvalidRuleException.class)
			.withMessageContaining("write a line such as 'POST /api/login 5/min per ip'");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			{ login: { paths: /login, status: many } }   | ratelimit.rules.login.status
			{ login: { paths: /login, tarpit: slowly } } | ratelimit.rules.login.tarpit
			""")
	void failsWhereAValueCannotBeBound(String rules, String culprit) throws IOException {
		yaml("ratelimit: { rules: " + rules + " }");
		// Spring Boot uses this handler for all properties, including those of a top
		// level without a converter.
		BindHandler handler = new NoUnboundElementsBindHandler(new IgnoreTopLevelConverterNotFoundBindHandler());
		assertThatExceptionOfType(BindException.class).isThrownBy(() -> bound((any) -> advisor().apply(handler)))
			.extracting((failure) -> failure.getName().toString())
			.isEqualTo(culprit);
	}

	@Test
	void namesAllUnknownPropertiesTogether() throws IOException {
		yaml("""
				ratelimit:
				  dedline: 5ms
				  rules:
				    search: { paths: /search, limit: 5/min, limt: 5/min }
				    login: { paths: /login, limit: 5/min, ban: { after: 3, fro: 1h }, key: [ip] }
				""");
		BindHandler handler = new NoUnboundElementsBindHandler(BindHandler.DEFAULT);
		assertThatExceptionOfType(BindException.class).isThrownBy(() -> bound((any) -> advisor().apply(handler)))
			.havingCause()
			.isInstanceOfSatisfying(UnboundConfigurationPropertiesException.class,
					(failure) -> assertThat(failure.getUnboundProperties()).extracting(ConfigurationProperty::getName)
						.extracting(ConfigurationPropertyName::toString)
						.containsExactlyInAnyOrder("ratelimit.dedline", "ratelimit.rules.search.limt",
								"ratelimit.rules.login.ban.fro"));
	}

	@Test
	void looksUpOnlyWhatIsWritten() throws IOException {
		yaml(RULES);
		bound((handler) -> counting(handler));
		int all = this.looked;
		this.looked = 0;
		bound((handler) -> advisor().apply(counting(handler)));
		assertThat(this.looked).isLessThan(all / 2);
	}

	private BindHandler counting(BindHandler handler) {
		return new AbstractBindHandler(handler) {

			@Override
			public <T> @Nullable Bindable<T> onStart(ConfigurationPropertyName name, Bindable<T> target,
					BindContext context) {
				if (ConfigurationPropertyName.of("ratelimit.rules").isAncestorOf(name)) {
					RuleBindAdvisorTests.this.looked++;
				}
				return super.onStart(name, target, context);
			}

		};
	}

	private void yaml(String text) throws IOException {
		new YamlPropertySourceLoader().load("yaml", new ByteArrayResource(text.getBytes()))
			.forEach(this.sources::addLast);
	}

	private static RuleBindAdvisor advisor() {
		return new RuleBindAdvisor(() -> new PropertyGroups(Map.of()));
	}

	private RateLimitProperties bound() {
		return bound(advisor()::apply);
	}

	private RateLimitProperties bound(UnaryOperator<BindHandler> advisor) {
		return new Binder(ConfigurationPropertySources.from(this.sources)).bindOrCreate("ratelimit",
				Bindable.of(RateLimitProperties.class), advisor.apply(BindHandler.DEFAULT));
	}

}
