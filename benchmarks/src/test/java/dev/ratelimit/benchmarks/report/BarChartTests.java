package dev.ratelimit.benchmarks.report;

import java.io.StringReader;
import java.util.List;
import java.util.Map;

import javax.xml.parsers.DocumentBuilderFactory;

import org.junit.jupiter.api.Test;
import org.xml.sax.InputSource;

import static org.assertj.core.api.Assertions.assertThat;

class BarChartTests {

	@Test
	void isXmlWithABarForEachRow() throws Exception {
		Results results = new Results();
		results.add("A & B", new Figures(Map.of(Metric.DECISIONS, 50.0)));
		results.add("RateLimiter", new Figures(Map.of(Metric.DECISIONS, 100.0)));
		String svg = new BarChart(new Layout("t", "Title", List.of(Metric.DECISIONS), List.of(), "RateLimiter"),
				results)
			.svg();
		DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(new InputSource(new StringReader(svg)));
		assertThat(svg).contains("width=\"195.0\" height=\"16\" rx=\"2\" class=\"other\"")
			.contains("width=\"390.0\" height=\"16\" rx=\"2\" class=\"ours\"")
			.contains("prefers-color-scheme: dark");
	}

}
