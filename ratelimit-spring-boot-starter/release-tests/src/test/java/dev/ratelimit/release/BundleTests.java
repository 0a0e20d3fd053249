package dev.ratelimit.release;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.Attributes;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;

import com.jayway.jsonpath.JsonPath;
import org.bouncycastle.openpgp.PGPException;
import org.bouncycastle.openpgp.PGPPublicKey;
import org.bouncycastle.openpgp.PGPSecretKeyRing;
import org.bouncycastle.openpgp.PGPSignature;
import org.bouncycastle.openpgp.PGPSignatureList;
import org.bouncycastle.openpgp.PGPUtil;
import org.bouncycastle.openpgp.bc.BcPGPObjectFactory;
import org.bouncycastle.openpgp.operator.bc.BcKeyFingerprintCalculator;
import org.bouncycastle.openpgp.operator.bc.BcPGPContentVerifierBuilderProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.xml.sax.SAXException;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of the bundle: the requirements of Maven Central, and the expectations of users.
 *
 * @see <a href="https://central.sonatype.org/publish/requirements/">Requirements</a>
 */
class BundleTests {

	private static final String LIBRARY = "ratelimit-spring-boot-autoconfigure";

	private static final String STARTER = "ratelimit-spring-boot-starter";

	private static final String BOM = "ratelimit-spring-boot-bom";

	private static final Set<String> LICENSES = Set.of("Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "EPL-2.0", "MIT",
			"MIT-0");

	private static final Bundle BUNDLE = Bundle.read();

	static List<String> artifacts() {
		return BUNDLE.artifacts();
	}

	static List<String> poms() {
		return BUNDLE.names().stream().map((name) -> BUNDLE.path(name, ".pom")).toList();
	}

	private static Element pom(String path) {
		try {
			DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
			factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
			return factory.newDocumentBuilder().parse(BUNDLE.stream(path)).getDocumentElement();
		}
		catch (IOException | ParserConfigurationException | SAXException ex) {
			throw new IllegalStateException(path, ex);
		}
	}

	private static Stream<Element> children(Element parent) {
		return IntStream.range(0, parent.getChildNodes().getLength())
			.mapToObj(parent.getChildNodes()::item)
			.filter((node) -> node.getNodeType() == Node.ELEMENT_NODE)
			.map(Element.class::cast);
	}

	private static Element child(Element parent, String name) {
		return children(parent).filter((one) -> one.getTagName().equals(name))
			.findFirst()
			.orElseThrow(() -> new AssertionError("<%s> has no <%s>".formatted(parent.getTagName(), name)));
	}

	private static String text(Element parent, String name) {
		return child(parent, name).getTextContent().strip();
	}

	private static List<String> names(Element parent) {
		return children(parent).map((dependency) -> text(dependency, "artifactId")).toList();
	}

	@Test
	void theBundleHasTheArtifactsOfTheReleaseAlone() {
		assertThat(BUNDLE.version()).matches("\\d+\\.\\d+\\.\\d+(-(M|RC)\\d+)?");
		assertThat(BUNDLE.artifacts()).containsExactlyInAnyOrder(BUNDLE.path(LIBRARY, ".pom"),
				BUNDLE.path(LIBRARY, ".jar"), BUNDLE.path(LIBRARY, "-sources.jar"),
				BUNDLE.path(LIBRARY, "-javadoc.jar"), BUNDLE.path(LIBRARY, "-cyclonedx.json"),
				BUNDLE.path(STARTER, ".pom"), BUNDLE.path(STARTER, ".jar"), BUNDLE.path(STARTER, "-sources.jar"),
				BUNDLE.path(STARTER, "-javadoc.jar"), BUNDLE.path(STARTER, "-cyclonedx.json"), BUNDLE.path(BOM, ".pom"),
				BUNDLE.path(BOM, "-cyclonedx.json"));
	}

	@ParameterizedTest
	@MethodSource("artifacts")
	void eachFileHasChecksumsAndASignature(String path) throws IOException, PGPException, NoSuchAlgorithmException {
		byte[] bytes = BUNDLE.bytes(path);
		assertThat(BUNDLE.text(path + ".md5")).isEqualTo(hash("MD5", bytes));
		assertThat(BUNDLE.text(path + ".sha1")).isEqualTo(hash("SHA-1", bytes));
		PGPSignature signature = signature(path + ".asc");
		signature.init(new BcPGPContentVerifierBuilderProvider(), publicKey());
		signature.update(bytes);
		assertThat(signature.verify()).isTrue();
	}

	private static String hash(String algorithm, byte[] bytes) throws NoSuchAlgorithmException {
		return HexFormat.of().formatHex(MessageDigest.getInstance(algorithm).digest(bytes));
	}

	private static PGPSignature signature(String path) throws IOException {
		try (InputStream input = PGPUtil.getDecoderStream(BUNDLE.stream(path))) {
			return ((PGPSignatureList) new BcPGPObjectFactory(input).nextObject()).get(0);
		}
	}

	private static PGPPublicKey publicKey() throws IOException, PGPException {
		String key = System.getenv("MAVEN_GPG_KEY");
		assertThat(key).as("the environment variable MAVEN_GPG_KEY").isNotBlank();
		try (InputStream input = PGPUtil
			.getDecoderStream(new ByteArrayInputStream(key.getBytes(StandardCharsets.UTF_8)))) {
			return new PGPSecretKeyRing(input, new BcKeyFingerprintCalculator()).getPublicKey();
		}
	}

	@ParameterizedTest
	@MethodSource("poms")
	void aPomSaysWhatIsRequired(String path) {
		Element pom = pom(path);
		assertThat(text(pom, "modelVersion")).isEqualTo("4.0.0");
		assertThat(text(pom, "groupId")).isEqualTo("dev.ratelimit");
		assertThat(text(pom, "version")).isEqualTo(BUNDLE.version());
		assertThat(text(pom, "name")).isNotEmpty();
		assertThat(text(pom, "description")).isNotEmpty();
		assertThat(text(pom, "url")).startsWith("https://").endsWith("/ratelimit-spring-boot-starter");
		Element license = child(child(pom, "licenses"), "license");
		assertThat(text(license, "name")).isEqualTo("Apache-2.0");
		assertThat(text(license, "url")).startsWith("https://");
		assertThat(text(child(child(pom, "developers"), "developer"), "name")).isNotEmpty();
		Element scm = child(pom, "scm");
		assertThat(text(scm, "connection")).startsWith("scm:git:");
		assertThat(text(scm, "developerConnection")).startsWith("scm:git:");
		assertThat(text(scm, "url")).isEqualTo(text(pom, "url"));
	}

	@ParameterizedTest
	@MethodSource("poms")
	void aPomHasNothingThatOnlyTheBuildNeeds(String path) {
		Element pom = pom(path);
		assertThat(children(pom).map(Element::getTagName)).isSubsetOf("modelVersion", "groupId", "artifactId",
				"version", "packaging", "name", "description", "url", "licenses", "developers", "scm", "dependencies",
				"dependencyManagement");
		assertThat(BUNDLE.text(path)).doesNotContain("${", "SNAPSHOT", "<scope>test", "caffeine");
	}

	@Test
	void theStarterBringsTheLibraryAndTheClientOfRedis() {
		Element dependencies = child(pom(BUNDLE.path(STARTER, ".pom")), "dependencies");
		assertThat(names(dependencies)).containsExactly("spring-boot-starter", "lettuce-core", LIBRARY);
	}

	@Test
	void theLibraryRequiresWhatItCannotDoWithout() {
		Element dependencies = child(pom(BUNDLE.path(LIBRARY, ".pom")), "dependencies");
		assertThat(children(dependencies)
			.filter((one) -> children(one).noneMatch((part) -> part.getTagName().equals("optional")))
			.map((one) -> text(one, "artifactId"))).containsExactly("spring-boot-autoconfigure", "jspecify",
					"reactor-core", "resilience4j-circuitbreaker", "snakeyaml");
	}

	@Test
	void theBillOfMaterialsManagesAllOtherArtifacts() {
		Element managed = child(child(pom(BUNDLE.path(BOM, ".pom")), "dependencyManagement"), "dependencies");
		assertThat(children(managed).map((one) -> text(one, "version"))).containsOnly(BUNDLE.version());
		List<String> others = BUNDLE.names().stream().filter((name) -> !name.equals(BOM)).toList();
		assertThat(names(managed)).containsExactlyInAnyOrderElementsOf(others);
	}

	@Test
	void theJarHasNoClassesOfOthersUnderTheirNames() {
		List<String> entries = BUNDLE.entries(BUNDLE.path(LIBRARY, ".jar"));
		assertThat(entries).filteredOn((entry) -> entry.endsWith(".class"))
			.isNotEmpty()
			.allMatch((entry) -> entry.startsWith("dev/ratelimit/"))
			.noneMatch((entry) -> entry.matches(".*Tests(\\$.*)?\\.class"));
		assertThat(entries).contains("META-INF/LICENSE", "META-INF/NOTICE",
				"META-INF/spring/org.springframework.boot.autoconfigure.AutoConfiguration.imports");
		assertThat(entries).noneMatch((entry) -> entry.startsWith("META-INF/maven/"));
	}

	@Test
	void theJarsNameTheirModulesAndVersion() {
		for (String name : List.of(LIBRARY, STARTER)) {
			Attributes attributes = BUNDLE.manifest(BUNDLE.path(name, ".jar")).getMainAttributes();
			assertThat(attributes.getValue("Automatic-Module-Name"))
				.isEqualTo(name.equals(LIBRARY) ? "dev.ratelimit" : "dev.ratelimit.starter");
			assertThat(attributes.getValue("Implementation-Version")).isEqualTo(BUNDLE.version());
		}
	}

	@Test
	void eachClassHasItsSourceAndEachPublicPackageItsJavadoc() {
		Set<String> classes = BUNDLE.entries(BUNDLE.path(LIBRARY, ".jar"))
			.stream()
			.filter((entry) -> entry.endsWith(".class") && !entry.startsWith("dev/ratelimit/internal/"))
			.map((entry) -> entry.replaceFirst("(\\$.*)?\\.class$", ".java"))
			.collect(Collectors.toCollection(TreeSet::new));
		assertThat(BUNDLE.entries(BUNDLE.path(LIBRARY, "-sources.jar"))).containsAll(classes);
		assertThat(BUNDLE.entries(BUNDLE.path(LIBRARY, "-javadoc.jar"))).contains("index.html",
				"dev/ratelimit/RateLimited.html", "dev/ratelimit/RateLimiter.html");
	}

	@Test
	void theBillsOfMaterialsNameWhatIsInside() {
		assertThat(BUNDLE.text(BUNDLE.path(LIBRARY, "-cyclonedx.json"))).contains("\"CycloneDX\"", "\"caffeine\"",
				"\"resilience4j-circuitbreaker\"", "\"Apache-2.0\"");
		assertThat(BUNDLE.text(BUNDLE.path(STARTER, "-cyclonedx.json"))).contains("\"CycloneDX\"",
				"\"" + LIBRARY + "\"");
	}

	@ParameterizedTest
	@ValueSource(strings = { LIBRARY, STARTER })
	void allDependenciesHaveLicensesThatApplicationsCanUse(String name) {
		List<Map<String, Object>> components = JsonPath.parse(BUNDLE.text(BUNDLE.path(name, "-cyclonedx.json")))
			.read("$.components");
		assertThat(components).hasSizeGreaterThan(20)
			.allSatisfy((component) -> assertThat(licenses(component)).as(component.get("name") + ": one of")
				.containsAnyElementsOf(LICENSES));
	}

	private static List<String> licenses(Map<String, Object> component) {
		return JsonPath.parse(component).read("$.licenses[*].license.id");
	}

	@Test
	void noFileTellsOfTheMachineThatMadeIt() {
		for (String name : List.of("META-INF/spring-configuration-metadata.json", "META-INF/MANIFEST.MF")) {
			assertThat(BUNDLE.entry(BUNDLE.path(LIBRARY, ".jar"), name)).doesNotContain(System.getProperty("user.home"),
					System.getProperty("user.dir"), "Built-By");
		}
	}

}
