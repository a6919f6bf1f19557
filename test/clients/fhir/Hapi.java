import ca.uhn.fhir.context.FhirContext;
import ca.uhn.fhir.context.support.DefaultProfileValidationSupport;
import ca.uhn.fhir.context.support.IValidationSupport.TranslateCodeRequest;
import ca.uhn.fhir.context.support.LookupCodeRequest;
import ca.uhn.fhir.context.support.ValidationSupportContext;
import com.google.gson.Gson;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.hl7.fhir.common.hapi.validation.support.CommonCodeSystemsTerminologyService;
import org.hl7.fhir.common.hapi.validation.support.InMemoryTerminologyServerValidationSupport;
import org.hl7.fhir.common.hapi.validation.support.PrePopulatedValidationSupport;
import org.hl7.fhir.common.hapi.validation.support.RemoteTerminologyServiceValidationSupport;
import org.hl7.fhir.common.hapi.validation.support.SnapshotGeneratingValidationSupport;
import org.hl7.fhir.common.hapi.validation.support.ValidationSupportChain;
import org.hl7.fhir.common.hapi.validation.validator.FhirInstanceValidator;
import org.hl7.fhir.r4.model.Coding;
import org.hl7.fhir.r4.model.StructureDefinition;

/**
 * Validates resources by the codes of a service. It reads one a line: profiles come first. Of each of the others it prints what
 * there is to say, as severity, place and message, and at the end what the service tells of a code.
 */
public class Hapi {
  public static void main(String[] args) throws Exception {
    var context = FhirContext.forR4();
    var remote = new RemoteTerminologyServiceValidationSupport(context, args[0]);
    var profiles = new PrePopulatedValidationSupport(context);
    var chain = new ValidationSupportChain(
        profiles,
        new DefaultProfileValidationSupport(context),
        remote,
        new CommonCodeSystemsTerminologyService(context),
        new InMemoryTerminologyServerValidationSupport(context),
        new SnapshotGeneratingValidationSupport(context));
    var validator = context.newValidator().registerValidatorModule(new FhirInstanceValidator(chain));
    var gson = new Gson();
    var in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line; (line = in.readLine()) != null; ) {
      if (context.newJsonParser().parseResource(line) instanceof StructureDefinition profile) {
        profiles.addStructureDefinition(profile);
        continue;
      }
      var messages = validator.validateWithResult(line).getMessages().stream();
      System.out.println(gson.toJson(
          messages.map(it -> List.of(it.getSeverity().getCode(), it.getLocationString(), it.getMessage())).toList()));
    }
    var support = new ValidationSupportContext(chain);
    String system = args[1];
    String code = args[2];
    var found = remote.lookupCode(support, new LookupCodeRequest(system, code));
    var places = remote.translateConcept(new TranslateCodeRequest(List.of(new Coding(system, code, null)), system));
    System.out.println(gson.toJson(List.of(
        remote.isCodeSystemSupported(support, system),
        remote.isCodeSystemSupported(support, "http://loinc.org"),
        found.getCodeDisplay(),
        places.getResults().stream().map(it -> it.getCode()).toList())));
  }
}
