import ca.uhn.fhir.context.FhirContext;
import com.google.gson.Gson;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.hl7.fhir.r4.model.Bundle;
import org.hl7.fhir.r5.elementmodel.Manager.FhirFormat;
import org.hl7.fhir.r5.terminologies.client.TerminologyClientContext;
import org.hl7.fhir.utilities.FhirPublication;
import org.hl7.fhir.utilities.validation.ValidationMessage;
import org.hl7.fhir.validation.ValidationEngine;

/**
 * The same as Hapi.java with HL7's validator, which asks a terminology server in its own way, and without the end. It takes value
 * sets along with the profiles. Its home directory must be empty: it takes FHIR itself from a package there, which is written of those
 * definitions of HAPI that patients need.
 */
public class Hl7 {
  private static final String VERSION = "4.0.1";

  public static void main(String[] args) throws Exception {
    PrintStream out = System.out;
    System.setOut(System.err);
    Path home = Path.of(System.getProperty("user.home"));
    writePackages(home.resolve(".fhir/packages"));
    // As with its option -authorise-non-conformant-tx-servers: it knows servers that passed HL7's tests, and says so otherwise.
    TerminologyClientContext.setAllowNonConformantServers(true);
    String log = home.resolve("requests.log").toString();
    var engine = new ValidationEngine.ValidationEngineBuilder()
        .withVersion(VERSION)
        .withTerminologyCachePath(Files.createDirectories(home.resolve("codes")).toString())
        .withTxServer(args[0], log, FhirPublication.R4, false)
        .withUserAgent("HL7 validator")
        .fromSource("hl7.fhir.r4.core#" + VERSION);
    var in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line; (line = in.readLine()) != null; ) {
      byte[] bytes = line.getBytes(StandardCharsets.UTF_8);
      if (line.matches("\\{\"resourceType\":\"(StructureDefinition|ValueSet)\".*")) {
        engine.seeResource(engine.getIgLoader().loadResourceByVersion(VERSION, bytes, "definition.json"));
        continue;
      }
      List<ValidationMessage> messages = new ArrayList<>();
      engine.validate(bytes, FhirFormat.JSON, List.of(), messages);
      out.println(new Gson().toJson(
          messages.stream().map(it -> List.of(it.getLevel().toCode(), it.getLocation(), it.getMessage())).toList()));
    }
  }

  private static void writePackages(Path packages) throws IOException {
    var context = FhirContext.forR4();
    Path core = packageIn(packages, "hl7.fhir.r4.core", VERSION);
    for (String file : List.of("profile/profiles-types.xml", "profile/profiles-resources.xml", "valueset/valuesets.xml")) {
      var text = Hl7.class.getResourceAsStream("/org/hl7/fhir/r4/model/" + file);
      var reader = new InputStreamReader(text, StandardCharsets.UTF_8);
      for (var entry : context.newXmlParser().parseResource(Bundle.class, reader).getEntry()) {
        var resource = entry.getResource();
        String name = resource.fhirType() + "-" + resource.getIdElement().getIdPart() + ".json";
        Files.writeString(core.resolve(name), context.newJsonParser().encodeResourceToString(resource));
      }
    }
    // It asks for this package too, of extensions for other versions.
    packageIn(packages, "hl7.fhir.xver-extensions", "0.1.0");
  }

  private static Path packageIn(Path packages, String name, String version) throws IOException {
    Path folder = Files.createDirectories(packages.resolve(name + "#" + version).resolve("package"));
    String text = "{\"name\":\"%s\",\"version\":\"%s\",\"fhirVersions\":[\"%s\"],\"type\":\"Core\",\"canonical\":\"http://hl7.org/fhir\"}";
    Files.writeString(folder.resolve("package.json"), text.formatted(name, version, VERSION));
    return folder;
  }
}
