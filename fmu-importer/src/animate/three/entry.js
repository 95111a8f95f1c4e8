export { AmbientLight, BoxGeometry, Color, CylinderGeometry, DirectionalLight, HemisphereLight, Matrix4, Mesh, MeshLambertMaterial, OrthographicCamera, Scene, SphereGeometry, Vector3, WebGLRenderer } from "three";
export { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
