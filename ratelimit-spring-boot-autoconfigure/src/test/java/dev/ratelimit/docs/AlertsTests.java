package dev.ratelimit.docs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;

import dev.ratelimit.test.prometheus.PrometheusTest;
import dev.ratelimit.test.prometheus.TestPrometheus;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that every alert has a section in the runbook and passes its Prometheus tests.
 */
class AlertsTests {

	private static final Path MONITORING = Path.of("..", "docs", "monitoring");

	private static final Path RUNBOOK = Path.of("..", "docs", "runbook.md");

	private static final Pattern SECTION = Pattern.compile("(?m)^### (RateLimit\\w+)$");

	@Test
	void everyAlertHasASectionInTheRunbook() throws IOException {
		List<String> alerts = alerts().stream().map((alert) -> text(alert, "alert")).toList();
		assertThat(alerts).hasSize(19).doesNotHaveDuplicates();
		assertThat(SECTION.matcher(Files.readString(RUNBOOK)).results().map((match) -> match.group(1)))
			.containsExactlyElementsOf(alerts);
		assertThat(alerts()).allSatisfy((alert) -> assertThat(text(annotations(alert), "runbook_url"))
			.isEqualTo("docs/runbook.md#" + text(alert, "alert").toLowerCase(Locale.ROOT)));
	}

	@Test
	void everySectionSaysHowToConfirmCauseAndFix() throws IOException {
		assertThat(Files.readString(RUNBOOK).split("\n### ")).filteredOn((section) -> section.startsWith("RateLimit"))
			.hasSize(19)
			.allSatisfy((section) -> assertThat(section).containsSubsequence("- **Confirm.** ", "- **Cause.** ",
					"- **Fix.** "));
	}

	@Test
	void everyAlertIsListedAmongTheOperations() throws IOException {
		String page = Files.readString(Path.of("..", "docs", "operations.md"));
		assertThat(alerts()).allSatisfy(
				(alert) -> assertThat(page).contains("| [%s](runbook.md#%s) | %s |".formatted(text(alert, "alert"),
						text(alert, "alert").toLowerCase(Locale.ROOT), text(map(alert, "labels"), "severity"))));
	}

	@PrometheusTest
	@Test
	void prometheusAcceptsTheAlerts() {
		assertThat(TestPrometheus.promtool(MONITORING, "check", "rules", "alerts.yml"))
			.anyMatch((line) -> line.contains("19 rules found"));
	}

	@PrometheusTest
	@Test
	void alertsFireWhenTheyShould() throws IOException {
		assertThat(TestPrometheus.promtool(MONITORING, "test", "rules", "alerts-test.yml"))
			.anyMatch((line) -> line.contains("SUCCESS"));
		String tests = Files.readString(MONITORING.resolve("alerts-test.yml"));
		assertThat(alerts()).allSatisfy((alert) -> assertThat(tests)
			.containsPattern("alertname: " + text(alert, "alert") + "\n +exp_alerts: \\[]\n")
			.containsPattern("alertname: " + text(alert, "alert") + "\n +exp_alerts:\n"));
	}

	private static List<Map<?, ?>> alerts() throws IOException {
		Map<?, ?> file = new Yaml(new SafeConstructor(new LoaderOptions()))
			.load(Files.readString(MONITORING.resolve("alerts.yml")));
		return maps(file, "groups").stream().flatMap((group) -> maps(group, "rules").stream()).toList();
	}

	private static List<Map<?, ?>> maps(Map<?, ?> parent, String key) {
		assertThat(parent.get(key)).isInstanceOf(List.class);
		return ((List<?>) parent.get(key)).stream().<Map<?, ?>>map((each) -> (Map<?, ?>) each).toList();
	}

	private static Map<?, ?> annotations(Map<?, ?> alert) {
		return map(alert, "annotations");
	}

	private static Map<?, ?> map(Map<?, ?> parent, String key) {
		assertThat(parent.get(key)).isInstanceOf(Map.class);
		return (Map<?, ?>) parent.get(key);
	}

	private static String text(Map<?, ?> parent, String key) {
		return String.valueOf(parent.get(key));
	}

}
